import { any, seen } from "./matchers.ts";
import type { Matcher } from "./rule.ts";

/** What any of these patterns finds. Apart from one another each is proved to be linear; in one alternation they are not. */
export function eachOf(words: readonly string[], ...patterns: readonly RegExp[]): Matcher {
  return any(...patterns.map((pattern) => seen(pattern, ...words)));
}
