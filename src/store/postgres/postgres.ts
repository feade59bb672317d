import type { Timer } from "../../core/world.ts";
import { migrate, type MigrationEngine, type MigrationStep } from "../migrate.ts";
import { type Execute, postgresQueries } from "../queries.ts";
import { postgresDialect } from "../schema.ts";
import { createTables, type Store, type StoreWrites } from "../store.ts";
import { createTransactions, demandFaultless, type InTurn, statementsOf, type Turn } from "../transactions.ts";
import { createPool, endSoon, type Pool, type Session, usual } from "./pool.ts";
import { Lost } from "./reasons.ts";
import { channel, watchServer } from "./watch.ts";

export interface PostgresOptions {
  readonly timer: Timer;
  /** How often the generation is looked at, should a notification be lost. */
  readonly pollMilliseconds?: number;
  /** How long another node's transaction is waited for, and how long one may stand still. */
  readonly patienceMilliseconds?: number;
  /** How long the server may be silent over a statement: longer than others are waited for. */
  readonly silenceMilliseconds?: number;
  /** How long it may take to say that it is there. */
  readonly pulseMilliseconds?: number;
  /** Off: rely on looking alone. */
  readonly notifications?: boolean;
  /** Instead of the released ones. */
  readonly steps?: readonly MigrationStep[] | undefined;
}

/** The shared store: any number of equal nodes on one database (RV-11). */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  const { silenceMilliseconds: silence = usual.silence, pulseMilliseconds = 2000 } = options;
  const bounds = { ...usual, silence };
  const quick = { connect: pulseMilliseconds, silence: pulseMilliseconds };
  const readers = createPool(url, readerSettings, 8, bounds);
  const asker = createPool(url, readerSettings, 4, quick);
  const writer = createPool(url, writerSettings(options), 1, bounds);
  const pools = [readers, asker, writer];
  const inTurn = createTransactions();
  const exclusively = oneWriter(inTurn, writer);
  const end = () =>
    endSoon(options.timer, {
      end: () => inTurn(async () => void (await Promise.all(pools.map((pool) => pool.end())))),
      hangUp: () => pools.forEach((pool) => pool.hangUp()),
    });
  try {
    await migrateOn(writer, exclusively, options.steps);
  } catch (error) {
    await end();
    throw error;
  }
  const [read, pulse] = [tablesOn(readers.query), tablesOn(asker.query)];
  return {
    read,
    pulse,
    hangUp: (what) => (what === "reads" ? [readers] : [readers, writer]).forEach((pool) => pool.hangUp()),
    transaction: (act) => exclusively((session, turn) => act(tablesOn(statementsOf(turn, session.query)))),
    watch: (onGeneration) => watchServer(url, pulse, onGeneration, { ...options, bounds: quick }),
    close: end,
  };
}

const readerSettings = ["SET default_transaction_read_only = on"];

/** A node that vanished in the middle of a transaction must not keep the others from writing for longer than they wait. */
function writerSettings({ patienceMilliseconds = 30_000 }: PostgresOptions): string[] {
  const waits = ["lock_timeout", "idle_in_transaction_session_timeout"];
  return [...waits.map((name) => `SET ${name} = ${patienceMilliseconds}`), flushed];
}

/** A commit that was answered survives a crash of the server, so that the database is never behind its checkpoint. */
const flushed = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

type Exclusively = <Result>(act: (session: Session, turn: Turn) => Promise<Result>) => Promise<Result>;

/** Any constant of ours: what is locked is the right to write, not a row. */
const writeLock = 7_455_120;

/** One writer at a time across all nodes, as on SQLite: what a transaction has read stays true until it ends. */
function oneWriter(inTurn: InTurn, writer: Pool): Exclusively {
  return (act) =>
    inTurn((turn) =>
      begun(writer, async (session) => {
        try {
          await session.query("SELECT pg_advisory_xact_lock($1)", [writeLock]);
          const result = await act(session, turn);
          demandFaultless(turn);
          await commit(session);
          return result;
        } catch (error) {
          // On a connection that is lost the server rolls back by itself; the first fault is the one to tell.
          await session.query("ROLLBACK").catch(() => {});
          throw error;
        }
      }),
    );
}

/**
 * A connection that was lost while it lay idle may be found out by its next statement only. That is the one that begins:
 * nothing was done by then, so another connection is taken, once. Not when it was hung up here: the store is away then, and
 * another connection would be waited for in vain.
 */
async function begun<Result>(writer: Pool, act: (session: Session) => Promise<Result>): Promise<Result> {
  let isBegun = false;
  const { hangUps } = writer;
  const begin = (session: Session) =>
    // Whatever the server's default is: each statement sees what was committed before the lock was given.
    session.query("BEGIN ISOLATION LEVEL READ COMMITTED").then(() => {
      isBegun = true;
      return act(session);
    });
  try {
    return await writer.withSession(begin);
  } catch (error) {
    if (isBegun || writer.hangUps !== hangUps || !(error instanceof Lost)) throw error;
  }
  return writer.withSession(begin);
}

async function commit(session: Session): Promise<void> {
  try {
    await session.query("COMMIT");
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    const hint = "whether the change was made is not known: look before you make it again";
    throw new Lost("store.failed", `${error.message}; ${hint}`, { cause: error });
  }
}

function tablesOn(execute: Execute): StoreWrites {
  const announce = async () => void (await execute("SELECT pg_notify($1, '')", [channel]));
  return createTables(postgresQueries(execute), { announce, locksRows: true });
}

const asLongAsItTakes = 0;

function migrateOn(writer: Pool, exclusively: Exclusively, steps?: readonly MigrationStep[]): Promise<void> {
  let session: Session = writer;
  const engine: MigrationEngine = {
    dialect: postgresDialect,
    store: "the PostgreSQL store",
    exclusively: (act) =>
      exclusively((own) => {
        session = own;
        return act();
      }),
    async version() {
      // Not by to_regclass: it would go on saying what was so before the lock was waited for.
      const found = await session.query(
        "SELECT FROM pg_tables WHERE schemaname = current_schema AND tablename = 'schema_version'",
      );
      if (found.length === 0) return 0;
      return Number((await session.query("SELECT version FROM schema_version"))[0]?.["version"] ?? 0);
    },
    // An index of millions of rows is made without a word in between.
    run: (sql) => session.query(sql, [], asLongAsItTakes),
    async setVersion(version) {
      await session.query("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)");
      await session.query("DELETE FROM schema_version");
      await session.query("INSERT INTO schema_version (version) VALUES ($1)", [version]);
    },
  };
  return migrate(engine, steps);
}
