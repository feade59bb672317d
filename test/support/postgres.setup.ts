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
  const server = await startPostgres({ durable: false });
  project.provide("postgres", server.url);
  return server.stop;
}
