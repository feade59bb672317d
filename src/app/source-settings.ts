import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import { mostBounds, type OnChange, type SyncBounds } from "../ingest/source/source.ts";
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
}

/** `before`: the bounds that hold where none is wished for. */
export function settingsFrom(wishes: SourceWishes, before: SyncBounds): Partial<SourceSettings> {
  const { title, trust, onChange, fingerprint, enabled } = wishes;
  const limits = boundsFrom(wishes, before);
  return {
    ...(title === undefined ? {} : { title }),
    ...(trust === undefined ? {} : { trust }),
    ...(onChange === undefined ? {} : { onChange }),
    ...(fingerprint === undefined ? {} : { expectedFingerprint: checkedFingerprint(fingerprint) }),
    ...(limits === undefined ? {} : { bounds: limits }),
    ...(enabled === undefined ? {} : { enabled }),
  };
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
