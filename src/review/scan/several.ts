import { any, seen } from "./matchers.ts";
import type { Matcher } from "./rule.ts";

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
