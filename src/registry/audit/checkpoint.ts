import { canonicalJson } from "../../core/canonical.ts";
import { AppError } from "../../core/error.ts";
import { isRecord, parseRecord } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";
import { isSigned, type Keys, signText } from "../keys.ts";
import type { ChainHead } from "./audit.ts";

/**
 * The heads of both chains, signed and kept outside the database, one file per store (RV-8, T19): a database that was
 * rolled back, truncated or written anew as a whole does not lead to them.
 */
export interface Checkpoint {
  readonly store: string;
  readonly audit: ChainHead;
  readonly ledger: ChainHead;
  readonly at: number;
}

export function renderCheckpoint(checkpoint: Checkpoint, keys: Keys): string {
  const text = textOf(checkpoint);
  return `${JSON.stringify({ ...checkpoint, ...signText(keys, text) }, null, 2)}\n`;
}

/** Reads a checkpoint. One that was not signed with this key file is refused, never ignored. */
export function parseCheckpoint(text: string, store: string, keys: Keys, path: string): Checkpoint {
  const stored = parseFields(text);
  const refuse = (why: string) =>
    new AppError(
      "store.rolled-back",
      `the checkpoint ${safeLine(path, 240)} ${why}; restore it, or start over with --accept-rollback`,
    );
  if (stored === undefined) throw refuse("cannot be read");
  const { checkpoint, signature } = stored;
  if (!isSigned(keys, textOf(checkpoint), signature)) throw refuse("is not signed by this key file");
  if (checkpoint.store !== store) throw refuse("belongs to another store");
  return checkpoint;
}

function textOf({ store, audit, ledger, at }: Checkpoint): string {
  const heads = { audit: { seq: audit.seq, hash: audit.hash }, ledger: { seq: ledger.seq, hash: ledger.hash } };
  return canonicalJson({ kind: "checkpoint", store, ...heads, at });
}

function parseFields(
  text: string,
): { checkpoint: Checkpoint; signature: { key: string; signature: string } } | undefined {
  const stored = parseRecord(text) ?? {};
  const { store, at, key, signature } = stored;
  const [audit, ledger] = [parseHead(stored["audit"]), parseHead(stored["ledger"])];
  if (typeof store !== "string" || typeof at !== "number" || audit === undefined || ledger === undefined)
    return undefined;
  if (typeof key !== "string" || typeof signature !== "string") return undefined;
  return { checkpoint: { store, audit, ledger, at }, signature: { key, signature } };
}

function parseHead(value: unknown): ChainHead | undefined {
  if (!isRecord(value)) return undefined;
  const { seq, hash } = value;
  return typeof seq === "number" && typeof hash === "string" ? { seq, hash } : undefined;
}

const mostBytes = 64 * 1024;

export function checkpointPath(folder: string, store: string): string {
  return `${folder}/${store}.json`;
}

/** The file in which the newest checkpoint of a store is kept. */
export class CheckpointFile {
  readonly #files: Files & FilesToWrite;
  readonly #path: string;
  readonly #store: string;
  readonly #keys: Keys;
  #saving: Promise<void> = Promise.resolve();

  constructor(files: Files & FilesToWrite, folder: string, store: string, keys: Keys) {
    this.#files = files;
    this.#path = checkpointPath(folder, store);
    this.#store = store;
    this.#keys = keys;
  }

  /** Before anything else: a crash may have left half of one beside it. */
  async tidy(): Promise<void> {
    await this.#files.tidy(this.#path);
  }

  async load(): Promise<Checkpoint | undefined> {
    try {
      const bytes = await this.#files.read(this.#path, mostBytes);
      const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString("utf8") : "";
      return parseCheckpoint(text, this.#store, this.#keys, this.#path);
    } catch (error) {
      if (error instanceof AppError && error.code === "path.missing") return undefined;
      throw error;
    }
  }

  /** One after the other, in the order they were made. The change that it follows is committed already. */
  save(checkpoint: Checkpoint): Promise<void> {
    return this.#inTurn(async () => {
      // Another process may have written a newer one meanwhile.
      const present = await this.load();
      if (present === undefined || present.audit.seq < checkpoint.audit.seq) await this.#write(checkpoint);
    });
  }

  /** Whatever was there: for a rollback that was accepted. */
  replace(checkpoint: Checkpoint): Promise<void> {
    return this.#inTurn(() => this.#write(checkpoint));
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#saving.then(act).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AppError("disk.failed", `the change was made, but its checkpoint could not be written: ${why}`, {
        cause,
      });
    });
    this.#saving = done.catch(() => {});
    return done;
  }

  async #write(checkpoint: Checkpoint): Promise<void> {
    await this.#files.write(this.#path, Buffer.from(renderCheckpoint(checkpoint, this.#keys)));
  }
}
