/**
 * Refused operations and a broken world. Faults in content are findings instead.
 * The list is closed: each door has one table from these codes to its own status.
 */
export type ErrorCode =
  /** The caller asked for something that cannot be asked: bad option, bad argument. */
  | "usage.invalid"
  /** A path that was named does not exist. */
  | "path.missing"
  /** A path that was named is something else than what was asked for. */
  | "path.wrong-kind"
  /** The disk refused: permission, I/O fault, a file that changed while it was read. */
  | "disk.failed"
  /** A configuration file or variable cannot be used; the message names the key. */
  | "config.invalid"
  /** The key file is missing, damaged, readable by others, or not the one this store was made with. */
  | "keys.unusable"
  /** The database cannot be reached, is read-only, full, locked for too long or damaged. */
  | "store.failed"
  /** The database was written by a newer Skillward. */
  | "store.newer"
  /** The database is behind, or beside, the checkpoint kept outside of it (RV-8). */
  | "store.rolled-back"
  /** Something that was named is not there. */
  | "record.missing"
  /** Something of that name is there already. */
  | "record.exists"
  /** Something else still refers to it. */
  | "record.in-use"
  /** Another sync of the same source is running (IN-15). */
  | "sync.running"
  /** The sync lost its lock to another one; nothing of it was written (IN-15). */
  | "sync.superseded"
  /** What was fetched is not what the publisher's fingerprint says (IN-22). */
  | "sync.fingerprint"
  /** The digest that was shown is not the current one any more (RV-5, T15). */
  | "review.stale"
  /** A decision that may not be made: a blocking finding, a skill that cannot be loaded, a second word by one person. */
  | "review.refused"
  /** An entry that cannot be attached or used in its present state. */
  | "entry.unusable"
  /** Who asks is not known: wrong name, password or key. */
  | "auth.failed"
  /** Who asks may not do this (RV-12). */
  | "auth.forbidden";

export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
