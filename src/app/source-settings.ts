import { AppError } from "../base/error.ts";
import { hasUnseen, safeLine } from "../base/text.ts";
import { intervals, isInterval, mostBounds, type OnChange, type SyncBounds } from "../ingest/source/source.ts";
import type { Trust } from "../ingest/source/trust.ts";
import type { SourceSettings } from "../registry/sync/sources.ts";

/** What a person may say about a source; what is not said stays as it is. */
export interface SourceWishes {
  readonly title?: string | undefined;
  readonly trust?: Trust | undefined;
  readonly onChange?: OnChange | undefined;
  /** Null: none is expected any more. */
  readonly fingerprint?: string | null | undefined;
  readonly maxFiles?: number | undefined;
  readonly maxSeconds?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly enabled?: boolean | undefined;
  /** Seconds; null: only when asked. */
  readonly interval?: number | null | undefined;
  /** Null: all. */
  readonly include?: readonly string[] | null | undefined;
  /** Null: none any more. A secret: it goes into the store encrypted, and nowhere else (IN-6). */
  readonly token?: string | null | undefined;
  readonly tokenForOwner?: boolean | undefined;
}

/** `before`: the bounds that hold where none is wished for. */
export function settingsFrom(wishes: SourceWishes, before: SyncBounds): Partial<SourceSettings> {
  const { title, trust, onChange, fingerprint, enabled, interval, include, tokenForOwner } = wishes;
  const limits = boundsFrom(wishes, before);
  return {
    ...(title === undefined ? {} : { title }),
    ...(trust === undefined ? {} : { trust }),
    ...(onChange === undefined ? {} : { onChange }),
    ...(fingerprint === undefined ? {} : { expectedFingerprint: checkedFingerprint(fingerprint) }),
    ...(limits === undefined ? {} : { bounds: limits }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(interval === undefined ? {} : { interval: checkedInterval(interval) }),
    ...(include === undefined ? {} : { include: checkedInclude(include) }),
    ...(tokenForOwner === undefined ? {} : { tokenForOwner }),
  };
}

function checkedInterval(interval: number | null): number | null {
  if (interval === null || isInterval(interval)) return interval;
  const most = `${intervals.most / 86_400} days`;
  throw new AppError(
    "usage.invalid",
    `a source is synced every ${intervals.least} seconds at most, and once in ${most} at least`,
  );
}

/** How many picks a person can oversee. */
const mostIncluded = 5000;
const longestInclude = 1024;

function checkedInclude(include: readonly string[] | null): readonly string[] | null {
  const names = include === null ? null : [...new Set(include.map((name) => name.replace(/^\.\/|\/+$/g, "")))];
  if (names === null) return null;
  const wrong = names.find((name) => name === "" || name.length > longestInclude || hasUnseen(name));
  if (wrong === undefined && names.length > 0 && names.length <= mostIncluded) return names;
  throw new AppError("usage.invalid", "say which folders or plugins to include, each by its name");
}

function checkedFingerprint(fingerprint: string | null): string | null {
  if (fingerprint === null || /^[0-9a-f]{64}$/i.test(fingerprint)) return fingerprint?.toLowerCase() ?? null;
  throw new AppError("usage.invalid", `"${safeLine(fingerprint, 80)}" is no fingerprint: it has 64 hex digits`);
}

/** What was not said is as it was; nothing is ever unlimited (IN-16). */
function boundsFrom({ maxFiles, maxSeconds, maxBytes }: SourceWishes, before: SyncBounds): SyncBounds | undefined {
  if (maxFiles === undefined && maxSeconds === undefined && maxBytes === undefined) return undefined;
  return {
    files: checkedBound("files", maxFiles ?? before.files),
    seconds: checkedBound("seconds", maxSeconds ?? before.seconds),
    bytes: checkedBound("bytes", maxBytes ?? before.bytes),
  };
}

function checkedBound(what: keyof SyncBounds, bound: number): number {
  if (Number.isSafeInteger(bound) && bound > 0 && bound <= mostBounds[what]) return bound;
  throw new AppError("usage.invalid", `one sync reads from 1 to ${mostBounds[what]} ${what}`);
}
