import { canonicalJson } from "../base/canonical.ts";
import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import type { ChainHead } from "./audit.ts";
import { isSigned, type Keys, signText } from "./keys.ts";

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
  const stored = parseRecord(text);
  const { store, at, key, signature } = stored;
  const [audit, ledger] = [parseHead(stored["audit"]), parseHead(stored["ledger"])];
  if (typeof store !== "string" || typeof at !== "number" || audit === undefined || ledger === undefined)
    return undefined;
  if (typeof key !== "string" || typeof signature !== "string") return undefined;
  return { checkpoint: { store, audit, ledger, at }, signature: { key, signature } };
}

function parseRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function parseHead(value: unknown): ChainHead | undefined {
  if (typeof value !== "object" || value === null || !("seq" in value) || !("hash" in value)) return undefined;
  const { seq, hash } = value;
  return typeof seq === "number" && typeof hash === "string" ? { seq, hash } : undefined;
}
