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
  | "disk.failed";

export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
