import type { RegionKind } from "./regions.ts";
import type { Hit, Matcher } from "./rule.ts";
import type { ScanText } from "./text.ts";

/**
 * A pattern over the text in lower case. A space in it stands for any short gap between words, also one over the end of
 * a line. `words`: it can only be there where one of these is; without them it is run over every text.
 */
export function seen(pattern: RegExp, ...words: readonly string[]): Matcher {
  const compiled = new RegExp(withGaps(pattern.source), "g");
  return {
    patterns: [compiled],
    find: (text) => (words.length > 0 && !text.hasAny(words) ? none : text.all(compiled)),
  };
}

const none: readonly Hit[] = [];

/** White space and what Markdown puts between words: emphasis, quote marks at the start of a line. */
const gap = "[\\s>*_]{1,8}";

/** Every space outside of a character class. */
function withGaps(source: string): string {
  let [result, isInClass] = ["", false];
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") result += char + source.charAt(++at);
    else {
      if (char === "[") isInClass = true;
      else if (char === "]") isInClass = false;
      // A gap that may be missing is one that may be missing as a whole.
      const isCounted = source.charAt(at + 1) === "?";
      result += char === " " && !isInClass ? (isCounted ? `(?:${gap})` : gap) : char;
    }
  }
  return result;
}

/** What any of them finds. */
export function any(...matchers: readonly Matcher[]): Matcher {
  return {
    patterns: matchers.flatMap(({ patterns }) => patterns),
    find: (text) => matchers.flatMap(({ find }) => find(text)).toSorted((a, b) => a.start - b.start),
  };
}

/** Where both are at most `reach` characters apart, in either order. */
export function near(one: Matcher, other: Matcher, reach: number): Matcher {
  return pairs(one, other, (a, b) => gapBetween(a, b) <= reach, reach);
}

/** Where the second begins at most `reach` characters behind the first. */
export function followedBy(first: Matcher, second: Matcher, reach: number): Matcher {
  return pairs(first, second, (a, b) => b.start >= a.end && b.start - a.end <= reach, reach);
}

/** What the first finds, in texts in which the second finds something too, anywhere. */
export function alongside(matcher: Matcher, condition: Matcher): Matcher {
  return {
    patterns: [...matcher.patterns, ...condition.patterns],
    find: (text) => {
      const hits = matcher.find(text);
      return hits.length > 0 && condition.find(text).length > 0 ? hits : none;
    },
  };
}

/** What the first finds where the second finds nothing within `reach`. */
export function unless(matcher: Matcher, exception: Matcher, reach: number): Matcher {
  return {
    patterns: [...matcher.patterns, ...exception.patterns],
    find: (text) => {
      const hits = matcher.find(text);
      if (hits.length === 0) return none;
      const exceptions = exception.find(text);
      const close = closeTo(text, exceptions, reach);
      return hits.filter((hit) => close(hit) === undefined);
    },
  };
}

/** Only what begins in one of these places. */
export function inside(kinds: readonly RegionKind[], matcher: Matcher): Matcher {
  return where(matcher, (text, { start }) => kinds.includes(text.regionAt(start)));
}

export function where(matcher: Matcher, holds: (text: ScanText, hit: Hit) => boolean): Matcher {
  return { patterns: matcher.patterns, find: (text) => matcher.find(text).filter((hit) => holds(text, hit)) };
}

function pairs(one: Matcher, other: Matcher, fits: (a: Hit, b: Hit) => boolean, reach: number): Matcher {
  return {
    patterns: [...one.patterns, ...other.patterns],
    find: (text) => {
      const firsts = one.find(text);
      if (firsts.length === 0) return none;
      const seconds = other.find(text);
      const close = closeTo(text, seconds, reach, fits);
      return firsts.flatMap((hit) => {
        const partner = close(hit);
        if (partner === undefined) return [];
        return [{ ...hit, start: Math.min(hit.start, partner.start), end: Math.max(hit.end, partner.end) }];
      });
    },
  };
}

/** Finds, for hits that are asked for in order, the nearest of `others` that fits. Looks only at those within reach. */
function closeTo(
  text: ScanText,
  others: readonly Hit[],
  reach: number,
  fits: (a: Hit, b: Hit) => boolean = (a, b) => gapBetween(a, b) <= reach,
): (hit: Hit) => Hit | undefined {
  let next = 0;
  return (hit) => {
    while (next < others.length && (others[next]?.end ?? 0) < hit.start - reach) next++;
    let nearest: Hit | undefined;
    for (let at = next; at < others.length; at++) {
      const other = others[at];
      text.steps++;
      if (other === undefined || other.start > hit.end + reach) break;
      if (fits(hit, other) && (nearest === undefined || gapBetween(hit, other) < gapBetween(hit, nearest)))
        nearest = other;
    }
    return nearest;
  };
}

function gapBetween(a: Hit, b: Hit): number {
  return Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end));
}

/** Only in texts that have one of these words too: a second gate, for patterns whose own words are common. */
export function onlyWith(words: string, { patterns, find }: Matcher): Matcher {
  const gate = words.split(" ");
  return { patterns, find: (text) => (text.hasAny(gate) ? find(text) : []) };
}

/**
 * Several patterns that need the same words: what any of them finds. Apart from one another
 * each is proved to be linear (T26); in one alternation they are not.
 */
export function several(words: string | readonly string[], ...patterns: readonly (RegExp | string)[]): Matcher {
  const gate = typeof words === "string" ? words.split(" ").filter((word) => word !== "") : words;
  return any(...patterns.map((pattern) => seen(typeof pattern === "string" ? new RegExp(pattern) : pattern, ...gate)));
}
