import pg from "pg";
import type { Timer } from "../../core/world.ts";
import { connecting, explained, Lost } from "./reasons.ts";

/** Runs statements on PostgreSQL. Together with its neighbour `reasons.ts` the only code that knows the driver. */
export interface Session {
  /** `silence` is in the place of the bound that the connection has. */
  readonly query: (
    sql: string,
    parameters?: readonly unknown[],
    silence?: number,
  ) => Promise<Record<string, unknown>[]>;
}

/** What is connected, and can be cut off: whoever waits for an answer is told at once that the connection was lost. */
interface Line {
  hangUp(): void;
  /** Waits for the other end. */
  end(): Promise<void>;
}

export interface Pool extends Session, Line {
  /** How often it was hung up. */
  readonly hangUps: number;
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
export interface Bounds {
  readonly connect: number;
  /**
   * For how long not one byte may come or go while a statement is waited for; 0: for as long as it takes. Not how long a
   * statement may take: megabytes of files on a slow way are many bytes, one after the other, and are not cut off.
   */
  readonly silence: number;
}

/**
 * A server says nothing while it works. A statement of ours waits for a lock for 30 seconds at most, then it writes some
 * 8 MB at most. The slowest that is read is a count of usage, and of that it gets through millions of rows in a second. So
 * one that is silent for longer has forgotten who asked. Two may work for longer: a step of a migration, which is given
 * its time, and a commit that waits for a replica, of which it is said that nobody knows.
 */
export const usual: Bounds = { connect: 10_000, silence: 40_000 };

/** Connections are made when they are needed, and again when they were lost. */
export function createPool(
  url: string,
  settings: readonly string[],
  max: number,
  { connect, silence: usualSilence }: Bounds = usual,
): Pool {
  const { open, Client } = countedClients();
  const onConnect = (client: pg.ClientBase) =>
    notSilent(client, usualSilence, async () => void (await client.query(settings.join(";"))));
  // It is waited for, whatever its type says: no connection is used without its settings.
  // oxlint-disable-next-line typescript/no-misused-promises
  const pool = new pg.Pool({ ...clientConfig(url, connect), max, onConnect, Client });
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
        query: (sql, parameters = [], silence = usualSilence) =>
          explained(() =>
            notSilent(client, silence, async () => (await client.query(sql, [...parameters])).rows),
          ).catch(lose),
      });
    } finally {
      client.off("error", ignore);
      client.release(isLost);
    }
  };
  let hangUps = 0;
  return {
    withSession,
    query: (...asked) => withSession((session) => session.query(...asked)),
    get hangUps() {
      return hangUps;
    },
    hangUp() {
      hangUps++;
      for (const client of open) client.connection.stream.destroy();
    },
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

/** Waits for an answer for as long as the other end says or takes something. */
async function notSilent<Answer>(client: pg.ClientBase, silence: number, ask: () => Promise<Answer>): Promise<Answer> {
  const socket = socketOf(client);
  const giveUp = () => void socket.destroy(silent(silence));
  socket.on("timeout", giveUp);
  socket.setTimeout(silence);
  try {
    return await ask();
  } finally {
    socket.off("timeout", giveUp);
    // Another statement of the same transaction may still be waited for.
    if (socket.listenerCount("timeout") === 0) socket.setTimeout(0);
  }
}

type Stream = pg.Connection["stream"];
interface Socket extends Stream {
  /** It says `timeout` when nothing came or went for so long; 0: never. */
  setTimeout(milliseconds: number): unknown;
}

/** What the driver talks through. Its types leave open what that is. */
function socketOf(client: pg.ClientBase): Socket {
  const stream = client instanceof pg.Client ? client.connection.stream : undefined;
  if (stream !== undefined && isSocket(stream)) return stream;
  throw new TypeError("the connection has no socket");
}

function isSocket(stream: Stream): stream is Socket {
  return "setTimeout" in stream;
}

/** As the system says it of a connection whose other end it could not reach any more. */
function silent(milliseconds: number): Error {
  return Object.assign(new Error(`nothing came for ${milliseconds} ms`), { code: "ETIMEDOUT" });
}

/** Cut off, it rejects. */
export interface Listening extends Line {
  readonly begun: Promise<void>;
}

interface ListeningFor {
  readonly channel: string;
  readonly onMessage: () => void;
  readonly onLost: () => void;
}

/** Listens on a channel until it is closed or the connection is lost. */
export function listen(
  url: string,
  { connect, silence }: Bounds,
  { channel, onMessage, onLost }: ListeningFor,
): Listening {
  const client = new pg.Client(clientConfig(url, connect));
  client.on("error", onLost);
  client.on("end", onLost);
  client.on("notification", onMessage);
  const hangUp = () => void client.connection.stream.destroy();
  const ask = () => client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  const begin = async () => {
    await connecting(() => client.connect());
    try {
      await explained(() => notSilent(client, silence, ask));
    } catch (error) {
      hangUp();
      throw error;
    }
  };
  return { begun: begin(), end: () => client.end(), hangUp };
}

function clientConfig(url: string, connect: number): pg.ClientConfig {
  return {
    connectionString: url,
    types: { getTypeParser },
    connectionTimeoutMillis: connect,
    keepAlive: true,
    // Else the system asks after two hours whether somebody is still there.
    keepAliveInitialDelayMillis: 10_000,
    application_name: "skillward",
  };
}

const wholeNumber: number = pg.types.builtins.INT8;

/** PostgreSQL's whole numbers come back as text, since they may be larger than a double can say; ours never are. */
function getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === wholeNumber) return Number;
  return pg.types.getTypeParser(type, format === "binary" ? "text" : format);
}
