import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { finding } from "../skill/faults.ts";
import type { SyncBounds } from "./schema.ts";

/** IN-16: the bound that a skill goes beyond, if one; then it is not taken in, and nothing after it. */
export function boundReached(bounds: SyncBounds, read: SyncBounds): string | undefined {
  if (read.files > bounds.files) return `${bounds.files} files`;
  if (read.bytes > bounds.bytes) return `${bounds.bytes} bytes`;
  return read.seconds > bounds.seconds ? `${bounds.seconds} seconds` : undefined;
}

export function boundFinding(bound: string, done: number, total: number): Finding {
  return finding(
    "walk.bounds",
    `more than ${bound}; ${done} of ${total} skills were read, the rest stays as it is`,
    ".",
  );
}

/** An entry is found by its path, and the engines' indexes hold keys of about 2,000 bytes. */
const longestPath = 1024;

export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longestPath;
}

export function pathTooLong(path: string): Finding {
  return finding("path.unsafe", `a path of more than ${longestPath} bytes; not taken in`, safeLine(path));
}

/** What ends every request once the time of a sync is up. */
export function outOfTime(seconds: number): AppError {
  return new AppError(
    "upstream.timeout",
    `the sync took longer than ${seconds} seconds; try again, or raise it with --max-seconds`,
  );
}
