import { type Content, contentOf, type Encoded, joinedBy } from "./content.ts";

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

/** Fewer are words by accident, and so are shorter ones. */
const fewestGroups = 4;
const shortestGroup = 4;

/** Base64 in groups of one length with blanks between, or on lines that are shorter than encoders make them. */
export function groupedBase64In(text: string): readonly Encoded[] {
  return groupsIn(text).flatMap(({ start, end, parts }): Encoded[] => {
    const joined = parts.join("");
    if (parts.length < fewestGroups || !isMixed(joined)) return [];
    const { bytes: _, ...found } = decodeBase64(joined) ?? {};
    return [{ from: "base64 in groups", start, end, ...found }];
  });
}

interface Groups {
  readonly start: number;
  end: number;
  readonly parts: string[];
}

/** Every character is looked at once (T26). */
function groupsIn(text: string): readonly Groups[] {
  const found: Groups[] = [];
  let open: Groups | undefined;
  for (let at = 0; at < text.length; ) {
    if (!isSign(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    while (at < text.length && isSign(text.charCodeAt(at))) at++;
    const [length, width] = [at - start, open?.parts[0]?.length ?? 0];
    const isNext = open !== undefined && length <= width && isBetweenGroups(text, open.end, start, width);
    if (isNext && open !== undefined) {
      open.parts.push(text.slice(start, at));
      open.end = at;
    } else if (length >= shortestGroup && length <= longestGroup)
      found.push((open = { start, end: at, parts: [text.slice(start, at)] }));
    else open = undefined;
    // Only the last one is shorter or filled up.
    if (length < (open?.parts[0]?.length ?? 0) || text.charAt(at - 1) === "=") open = undefined;
  }
  return found;
}

const longestGroup = 128;

function isSign(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || isOddSign(code);
}

/** `+`, `-`, `=` and `_`. */
function isOddSign(code: number): boolean {
  return code === 43 || code === 45 || code === 61 || code === 95;
}

function isBetweenGroups(text: string, from: number, to: number, width: number): boolean {
  if (to - from === 1) return text.charAt(from) === " " || (text.charAt(from) === "\n" && width < shortestLine);
  return to - from <= 16 && width < shortestLine && /^\n[ \t>#*|"'+]{1,15}$/.test(text.slice(from, to));
}

/** Paths and names are in one case, or have a capital only where a word begins; what is encoded hardly ever is. */
function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && !/^[A-Z]?[a-z]+$/.test(run);
}

const shortestLine = 40;

/** Lines of one length, as every encoder wraps them: between words there is no such line. */
function isWrap(between: string, before: string): boolean {
  return before.length >= shortestLine && /^\r?\n[ \t>#*|"'+]{0,16}$/.test(between);
}

/** A path or a name may stand right before it, with the same characters: then the beginning is not where it seems. */
export function decodeBase64(encoded: string): Content | undefined {
  const found = [0, 1, 2, 3].map((skipped) => contentOf(Buffer.from(encoded.slice(skipped), "base64")));
  const packed = found.flatMap((content) => content?.packed ?? []);
  const best = found.find((content) => content?.text !== undefined) ?? found[0];
  return packed.length > 0 ? { ...best, packed } : best;
}
