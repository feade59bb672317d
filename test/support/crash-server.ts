import { existsSync, readFileSync } from "node:fs";
import pg from "pg";

export async function askPostgres(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // Of a server that is being killed nothing more is expected.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

const processes = `
  select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid
  union all select pid from pg_stat_activity where pid <> pg_backend_pid()`;

/** All of its processes at once, the first one first, so that it cannot put its house in order. */
export async function killPostgres(url: string): Promise<void> {
  const [first, ...others] = (await askPostgres(url, processes)).map(({ pid }) => Number(pid));
  if (first === undefined) throw new Error("the server does not tell its processes");
  // One that ended since it was listed may have left its number to a process that is not the server's.
  const own = others.filter((pid) => isChild(pid, first));
  for (const pid of [first, ...own]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

/** Where the system does not show processes as files, every number is believed. */
function isChild(pid: number, parent: number): boolean {
  if (!existsSync("/proc/self/stat")) return true;
  try {
    // The name in parentheses may hold anything; the state and the parent's number follow it.
    const [, ppid] = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return Number(ppid) === parent;
  } catch {
    return false;
  }
}
