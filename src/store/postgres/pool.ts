import pg from "pg";
import type { Timer } from "../../base/world.ts";
import { connecting, explained, Lost } from "./reasons.ts";

/** Runs statements on PostgreSQL. Together with its neighbour `reasons.ts` the only code that knows the driver. */
export interface Session {
  readonly query: (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
}

/** What is connected, and can be cut off: whoever waits for an answer is told at once that the connection was lost. */
interface Line {
  hangUp(): void;
  /** Waits for the other end. */
  end(): Promise<void>;
}

export interface Pool extends Session, Line {
  /** One connection for as long as `act` takes. */
  withSession<Result>(act: (session: Session) => Promise<Result>): Promise<Result>;
}

const farewellMilliseconds = 2000;

/** Ends it, also when nobody is at the other end any more. */
export async function endSoon(timer: Timer, line: Line): Promise<void> {
  const late = timer.every(farewellMilliseconds, () => line.hangUp());
  await line.end().finally(() => late.stop());
}

/** Milliseconds. */
interface PoolBounds {
  readonly connect: number;
  /** 0: as long as it takes. */
  readonly statement: number;
}

const usual: PoolBounds = { connect: 10_000, statement: 0 };

/** Connections are made when they are needed, and again when they were lost. */
export function createPool(url: string, settings: readonly string[], max: number, bounds = usual): Pool {
  const { open, Client } = countedClients();
  const onConnect = async (client: pg.ClientBase) => void (await client.query(settings.join(";")));
  // It is waited for, whatever its type says: no connection is used without its settings.
  // oxlint-disable-next-line typescript/no-misused-promises
  const pool = new pg.Pool({ ...clientConfig(url, bounds), max, onConnect, Client });
  // A connection that breaks while it is idle is replaced at its next use, which says what is wrong.
  pool.on("error", ignore);
  const withSession: Pool["withSession"] = async (act) => {
    const client = await connecting(() => pool.connect());
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", ignore);
    let isLost = false;
    const lose = (error: unknown) => {
      isLost ||= error instanceof Lost;
      // One that says nothing would keep the next statement waiting as long.
      if (isLost) client.connection.stream.destroy();
      throw error;
    };
    try {
      return await act({
        query: (sql, parameters = []) =>
          explained(async () => (await client.query(sql, [...parameters])).rows).catch(lose),
      });
    } finally {
      client.off("error", ignore);
      client.release(isLost);
    }
  };
  return {
    withSession,
    query: (sql, parameters) => withSession((session) => session.query(sql, parameters)),
    hangUp: () => open.forEach((client) => client.connection.stream.destroy()),
    end: () => pool.end(),
  };
}

/** The pool knows its connections once they are made; here they are known from the beginning. */
function countedClients() {
  const open = new Set<pg.Client>();
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      open.add(this);
      this.once("end", () => open.delete(this));
    }
  }
  return { open, Client };
}

function ignore(): void {}

/** Listens on a channel until it is closed or the connection is lost. */
export async function listen(url: string, channel: string, onMessage: () => void, onLost: () => void): Promise<Line> {
  const client = new pg.Client(clientConfig(url, usual));
  client.on("error", onLost);
  client.on("end", onLost);
  client.on("notification", onMessage);
  await connecting(() => client.connect());
  const hangUp = () => void client.connection.stream.destroy();
  try {
    await explained(() => client.query(`LISTEN ${pg.escapeIdentifier(channel)}`));
  } catch (error) {
    hangUp();
    throw error;
  }
  return { end: () => client.end(), hangUp };
}

function clientConfig(url: string, { connect, statement }: PoolBounds): pg.ClientConfig {
  return {
    connectionString: url,
    types: { getTypeParser },
    connectionTimeoutMillis: connect,
    query_timeout: statement,
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
