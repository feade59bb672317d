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
  /** The database was made by a Skillward from before 0.2. */
  | "store.older"
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
  /** A repository, branch, tag, commit or file that is not there, or that the token may not see (IN-7). */
  | "source.missing"
  /** The service does not accept the token, or the token has no rights to what was asked for (IN-6). */
  | "source.refused"
  /** The service allows no more requests for now; the message says until when (IN-11). */
  | "source.limited"
  /** The repository is not the one that was added: renamed, transferred or registered anew (IN-9, T12). */
  | "source.frozen"
  /** Bytes that are not the ones their commit names (IN-8, T13). */
  | "digest.mismatch"
  /** The digest that was shown is not the current one any more (RV-5, T15). */
  | "review.stale"
  /** A decision that may not be made: a blocking finding, a skill that cannot be loaded, a second word by one person. */
  | "review.refused"
  /** An entry that cannot be attached or used in its present state. */
  | "entry.unusable"
  /** A sub-agent wrote to the registry of capability skills, which is its primary's (SC-2). */
  | "scope.readonly"
  /** Who asks is not known: wrong name, password or key. */
  | "auth.failed"
  /** Who asks may not do this (RV-12). */
  | "auth.forbidden"
  /** A request would have left for where it may not go: nothing left (IN-4, invariant 4). */
  | "egress.refused"
  /** Another service cannot be reached, or closed the connection. */
  | "upstream.unreachable"
  /** Another service took too long. */
  | "upstream.timeout"
  /** A model service does not accept the secret that is kept for it (CO-16). */
  | "upstream.refused"
  /** What another service answered cannot be used: a redirect, too much, not what was asked for. */
  | "upstream.invalid"
  /** A model that the provider's list does not have (CO-15). */
  | "model.refused"
  /** A skill that was asked for by name does not fit into the budget (CO-6). */
  | "budget.exceeded"
  /** A host that may not be asked for skills (IN-3, T1), or a name under which the server may not be called (T36). */
  | "host.refused"
  /** More than may come in one request (T41). */
  | "request.too-large"
  /** More requests than one key may make (T41). */
  | "request.too-many";

export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** For what may not be there: null then. Any other fault stays one. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === "path.missing") return null;
  throw error;
}

/** For what may be refused, or not be there: null then. Any other fault stays one. */
export function orNull(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

/** Whether another service could not be reached, or not in time. */
export function isUnreachable(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "upstream.unreachable" || error.code === "upstream.timeout");
}
