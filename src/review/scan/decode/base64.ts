import { type Encoded, joinedBy, shortestData } from "./encoded.ts";
import { readableText } from "./readable.ts";

const encodedRun = /[A-Za-z0-9+/_-]{12,}={0,2}/g;

/** Base64, also url-safe and wrapped over lines. */
export function base64In(text: string): readonly Encoded[] {
  const runs = Array.from(text.matchAll(encodedRun), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
  return joinedBy(text, runs, isWrap).flatMap(({ start, end, joined }) => {
    if (!isMixed(joined)) return [];
    const found = decodeBase64(joined);
    return found === undefined ? [] : [{ from: "base64", start, end, ...found }];
  });
}

/** Paths and names are in one case, or have a capital only where a word begins; what is encoded hardly ever is. */
function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && !/^[A-Z]?[a-z]+$/.test(run);
}

/** Lines of one length, as every encoder wraps them: between words there is no such line. */
function isWrap(between: string, before: string): boolean {
  return before.length >= 40 && /^\r?\n[ \t>#*|"'+]{0,16}$/.test(between);
}

/** A path or a name may stand right before it, with the same characters: then the beginning is not where it seems. */
export function decodeBase64(encoded: string): Pick<Encoded, "text" | "bytes"> | undefined {
  for (let skipped = 0; skipped < 4; skipped++) {
    const bytes = Buffer.from(encoded.slice(skipped), "base64");
    const text = readableText(bytes);
    if (text !== undefined) return { text };
  }
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length >= shortestData ? { bytes } : undefined;
}
