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
  for (const { pid } of await askPostgres(url, processes)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
