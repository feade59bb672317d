import pg from "pg";
import { connecting, explained } from "./reasons.ts";

/** Runs statements on PostgreSQL. Together with its neighbour `reasons.ts` the only code that knows the driver. */
export interface Session {
  readonly query: (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
}

export interface Pool extends Session {
  /** One connection for as long as `act` takes. */
  withSession<Result>(act: (session: Session) => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

/** Connections are made when they are needed, and again when they were lost. */
export function createPool(url: string, settings: readonly string[], max: number): Pool {
  const onConnect = async (client: pg.ClientBase) => void (await client.query(settings.join(";")));
  // It is waited for, whatever its type says: no connection is used without its settings.
  // oxlint-disable-next-line typescript/no-misused-promises
  const pool = new pg.Pool({ ...clientConfig(url), max, onConnect });
  // A connection that breaks while it is idle is replaced at its next use, which says what is wrong.
  pool.on("error", ignore);
  const withSession: Pool["withSession"] = async (act) => {
    const client = await connecting(() => pool.connect());
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", ignore);
    try {
      return await act({
        query: (sql, parameters = []) => explained(async () => (await client.query(sql, [...parameters])).rows),
      });
    } finally {
      client.off("error", ignore);
      client.release();
    }
  };
  return {
    withSession,
    query: (sql, parameters) => withSession((session) => session.query(sql, parameters)),
    end: () => pool.end(),
  };
}

function ignore(): void {}

/** Listens on a channel until it is closed or the connection is lost. */
export async function listen(
  url: string,
  channel: string,
  onMessage: () => void,
  onLost: () => void,
): Promise<{ close(): Promise<void> }> {
  const client = new pg.Client(clientConfig(url));
  client.on("error", onLost);
  client.on("end", onLost);
  client.on("notification", onMessage);
  await connecting(() => client.connect());
  try {
    await explained(() => client.query(`LISTEN ${pg.escapeIdentifier(channel)}`));
  } catch (error) {
    await client.end();
    throw error;
  }
  return { close: () => client.end() };
}

function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types: { getTypeParser },
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: "skillward",
  };
}

const wholeNumber: number = pg.types.builtins.INT8;

/** PostgreSQL's whole numbers come back as text, since they may be larger than a double can say; ours never are. */
function getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === wholeNumber) return Number;
  return pg.types.getTypeParser(type, format === "binary" ? "text" : format);
}
