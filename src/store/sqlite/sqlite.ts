import { yieldToEventLoop } from "../../core/async.ts";
import type { Timer } from "../../core/world.ts";
import { migrate, type MigrationStep, refuseUnknownVersion } from "../migrate.ts";
import { type Execute, sqliteQueries } from "../queries.ts";
import { sqliteDialect } from "../schema.ts";
import { createTables, type Store, type StoreReads, type StoreWrites } from "../store.ts";
import { createTransactions, demandFaultless, type InTurn, statementsOf } from "../transactions.ts";
import { Connection, readVersion, storeName } from "./connection.ts";
import { createPatience, type Patience } from "./patience.ts";

export interface SqliteOptions {
  readonly timer: Timer;
  /** How often another process's changes are looked for. */
  readonly pollMilliseconds?: number;
  /** How long another process's transaction is waited for. */
  readonly patienceMilliseconds?: number;
  /** Instead of the released ones. */
  readonly steps?: readonly MigrationStep[] | undefined;
}

/**
 * The embedded store: one file in WAL mode, one connection that writes and one that cannot (RV-11). The driver answers
 * at once, so whoever asks it in a loop would stop this whole process, a server with all its requests: after every
 * read and every transaction it is the others' turn, in this process and in those that wait for the file.
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<Store> {
  const patience = createPatience(options);
  refuseUnknownVersion(storeName(path), readVersion(path), options.steps);
  const writer = await patience.untilFree(() => new Connection(path, "write"));
  try {
    const inTurn = createTransactions();
    const exclusively = oneWriter(inTurn, writer, patience);
    await migrate(migrationOn(path, writer, patience, exclusively), options.steps);
    const reader = await patience.untilFree(() => new Connection(path, "read"));
    const write: Execute = async (sql, parameters) => writer.all(sql, parameters);
    const read = tablesOn(async (sql, parameters) => {
      const rows = await patience.untilFree(() => reader.all(sql, parameters));
      await yieldToEventLoop();
      return rows;
    });
    return {
      read,
      // A file is never away: it answers at once, or says what is wrong with it.
      pulse: read,
      hangUp: () => {},
      transaction: (act) => exclusively((turn) => act(tablesOn(statementsOf(turn, write)))),
      watch: (onGeneration) => watchFile(reader, read, onGeneration, options),
      close: () =>
        inTurn(async () => {
          reader.close();
          writer.foldIn();
          writer.close();
        }),
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function tablesOn(execute: Execute): StoreWrites {
  // Nothing to announce: SQLite itself counts the commits of others, by `data_version`.
  return createTables(sqliteQueries(execute), { announce: async () => {}, locksRows: false });
}

function migrationOn(path: string, writer: Connection, { untilFree }: Patience, exclusively: InTurn) {
  return {
    dialect: sqliteDialect,
    store: storeName(path),
    exclusively,
    version: async () => Number((await untilFree(() => writer.all("PRAGMA user_version")))[0]?.["user_version"]),
    run: async (sql: string) => writer.run(sql),
    setVersion: async (version: number) => writer.run(`PRAGMA user_version = ${version}`),
  };
}

/** One transaction after the other on the one connection that writes; across processes SQLite sees to it. */
function oneWriter(inTurn: InTurn, writer: Connection, { untilFree }: Patience): InTurn {
  return (act) =>
    inTurn(async (turn) => {
      await untilFree(() => writer.run("BEGIN IMMEDIATE"));
      try {
        const result = await act(turn);
        demandFaultless(turn);
        writer.run("COMMIT");
        return result;
      } catch (error) {
        // SQLite has rolled back by itself after some faults, a full disk among them.
        if (writer.isInTransaction) writer.run("ROLLBACK");
        throw error;
      } finally {
        await yieldToEventLoop();
      }
    });
}

/** RV-10: what another connection commits moves `data_version`; looking at it reads no table. */
async function watchFile(
  reader: Connection,
  read: StoreReads,
  onGeneration: (generation: number) => void,
  { timer, pollMilliseconds = 200 }: SqliteOptions,
) {
  const version = () => Number(reader.all("PRAGMA data_version")[0]?.["data_version"]);
  let seenVersion = version();
  let seen = await read.generation();
  const look = async () => {
    const nowVersion = version();
    if (nowVersion === seenVersion) return;
    const generation = await read.generation();
    seenVersion = nowVersion;
    if (generation > seen) onGeneration((seen = generation));
  };
  // A look that fails is made again at the next turn; the store's own calls say what is wrong with it.
  const polling = timer.every(pollMilliseconds, () => void look().catch(() => {}));
  return { close: async () => polling.stop() };
}
