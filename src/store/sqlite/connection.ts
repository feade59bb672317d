import { pathToFileURL } from "node:url";
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { keyTooLong } from "../schema.ts";

/** One connection to a SQLite file: the only file that knows the driver. */
export class Connection {
  readonly #path: string;
  readonly #database: DatabaseSyncInstance;
  /** Kysely writes the same few texts again and again. */
  readonly #statements = new Map<string, Statement>();

  constructor(path: string, mode: "read" | "write") {
    this.#path = path;
    // No timeout: the driver would wait for another process with the whole of this one standing still.
    this.#database = explained(path, () => new DatabaseSync(path, { timeout: 0, defensive: true }));
    try {
      // FULL: a commit that was acknowledged survives a power cut, so that the database is never behind its checkpoint.
      this.run("PRAGMA synchronous = FULL");
      this.run(mode === "read" ? "PRAGMA query_only = ON" : "PRAGMA journal_mode = WAL");
      // Pages: the log is folded into the file less often than by default (1,000), which is what makes some commits slow.
      if (mode === "write") this.run("PRAGMA wal_autocheckpoint = 4000");
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  run(sql: string): void {
    explained(this.#path, () => this.#database.exec(sql));
  }

  all(sql: string, parameters: readonly unknown[] = []): Record<string, unknown>[] {
    return explained(this.#path, () => {
      const { prepared, columns } = this.#statements.get(sql) ?? this.#prepare(sql);
      const rows: unknown[] = prepared.all(...parameters.map(inputOf));
      return rows.map((row) => rowOf(columns, row));
    });
  }

  #prepare(sql: string): Statement {
    const prepared = this.#database.prepare(sql);
    prepared.setReturnArrays(true);
    const statement = { prepared, columns: prepared.columns().map(({ name }) => name) };
    if (this.#statements.size < 1000) this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * Brings what is in the write-ahead log into the file itself, so that the file alone is the whole store: a copy of
   * it is a backup. SQLite would do so at the last close, but the driver lets go of the file only when its statements
   * were collected. Where it cannot be done (another process is writing, the disk is full) the log keeps it all.
   */
  foldIn(): void {
    try {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The next one to close does it.
    }
  }
}

/**
 * The version in a file, before it is opened for use: a store that is refused keeps every byte, and no log appears
 * beside it. Opening for use reports whatever is wrong with the file; here it has version 0.
 */
export function readVersion(path: string): number {
  const file = pathToFileURL(path);
  // Immutable: without a lock and without a log. A process that was killed may have left the version in its log alone.
  return readUserVersion(new URL("?immutable=1", file)) || readUserVersion(file);
}

function readUserVersion(file: URL): number {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  } catch {
    return 0;
  } finally {
    database?.close();
  }
}

interface Statement {
  readonly prepared: StatementSyncInstance;
  readonly columns: readonly string[];
}

/** Made here of the driver's arrays: its own objects are slow to make and slow to read. */
function rowOf(columns: readonly string[], values: unknown): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  if (!Array.isArray(values)) return row;
  for (let at = 0; at < columns.length; at++) row[columns[at] ?? ""] = values[at];
  return row;
}

type Input = string | number | Uint8Array | null;

function inputOf(value: unknown): Input {
  if (value === null || typeof value === "string" || typeof value === "number" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`SQLite cannot keep a ${typeof value}`);
}

/** Names the store in messages. */
export function storeName(path: string): string {
  return `the store ${safeLine(path, 240)}`;
}

/** Another process is writing: the one fault that waiting helps against. */
export class Busy extends AppError {
  constructor(path: string, cause: unknown) {
    const hint = "wait for it to end, or look for a process that hangs";
    super("store.failed", `${storeName(path)} is being written to by another process; ${hint}`, {
      cause,
    });
  }
}

/** By SQLite's primary result codes: its own words, and ours for what happened and what to do. */
const faults: readonly { readonly code: number; readonly said: string; readonly why: string }[] = [
  { code: 3, said: "access permission denied", why: "access was denied; check the rights of the file and its folder" },
  {
    code: 8,
    said: "attempt to write a readonly database",
    why: "it is read-only; check the rights of the file, of -wal and -shm beside it, of its folder and the mount",
  },
  { code: 10, said: "disk I/O error", why: "the disk failed while reading or writing it" },
  { code: 11, said: "database disk image is malformed", why: "the file is damaged; restore it from a backup" },
  {
    code: 13,
    said: "database or disk is full",
    why: "the disk is full; nothing was changed, make room and try again",
  },
  {
    code: 14,
    said: "unable to open database file",
    why: "it cannot be opened; check that its folder exists and can be written to",
  },
  {
    code: 26,
    said: "file is not a database",
    why: "the file is not a SQLite database; name another one, or move it away",
  },
  {
    // The driver's own refusal: whatever Skillward writes fits.
    code: Number.NaN,
    said: "Value is too large to be represented",
    why: "it holds a number that nobody but a hand wrote there; `skillward audit verify` says where",
  },
];

const waits = [
  { code: 5, said: "database is locked" },
  { code: 6, said: "database table is locked" },
  { code: 15, said: "locking protocol" },
];

function explained<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (waits.some((wait) => isSaid(error, wait))) throw new Busy(path, error);
    if (isSaid(error, checkFailed)) throw keyTooLong(error);
    const fault = faults.find((each) => isSaid(error, each));
    // A broken statement or constraint is a fault of ours, and shown as one.
    if (fault === undefined) throw error;
    throw new AppError("store.failed", `${storeName(path)}: ${fault.why}`, { cause: error });
  }
}

const checkFailed = { code: Number.NaN, said: "CHECK constraint failed" };

/** The driver gives no code where it reads rows: there SQLite's words are all there is. */
function isSaid(error: unknown, { code, said }: { readonly code: number; readonly said: string }): boolean {
  if (!(error instanceof Error)) return false;
  return ("errcode" in error && Number(error.errcode) % 256 === code) || error.message.startsWith(said);
}
