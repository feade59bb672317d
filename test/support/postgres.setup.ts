import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of this run: make a database of your own on it with `createDatabase`. */
    postgres: string;
  }
}

/** One server for the whole run; no test is about a crash of the machine, so nothing waits for the disk. */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  // Said while the tests fail: what is thrown at the end of a run that is cut off is never seen.
  const onAlarm = (text: string) => void process.stderr.write(`The PostgreSQL server of this run: ${text}\n`);
  const server = await startPostgres({ durable: false, onAlarm });
  project.provide("postgres", server.url);
  return server.stop;
}
