import type { EntryId } from "../../core/ids.ts";
import { type Called, isCompound, namesIn } from "./naming.ts";
import { type StandingPhrase, wordsOf } from "./phrases.ts";
import type { Query } from "../query.ts";
import { anyRefusal, isRefused } from "./refusals.ts";
import type { Shelf } from "../shelf.ts";

/**
 * Entries that a text names only to say that they are not wanted: "why is it not name", "anything else instead of name".
 * One that it names in any other way besides is not among them.
 */
export function declinedIn(shelf: Shelf, { text }: Query): ReadonlySet<EntryId> {
  if (!anyRefusal.test(text)) return new Set();
  const words = wordsOf(text);
  const standing = namesIn.of(shelf).standingIn(words);
  const longest = longestEnds(standing);
  // An entry has one name: whoever has it is declined together.
  const isDeclined = new Map<readonly Called[], boolean>();
  for (const phrase of standing) {
    const [start, end] = [words[phrase.from]?.from ?? 0, words[phrase.to - 1]?.to ?? 0];
    const place = { before: text.slice(0, start), after: text.slice(end) };
    const named = { ...place, parts: phrase.to - phrase.from, isCompound: isCompound(words, phrase) };
    // What is refused is the longest name that begins there.
    const isSo = longest.get(phrase.from) === phrase.to && isRefused(named);
    isDeclined.set(phrase.meant, isSo && isDeclined.get(phrase.meant) !== false);
  }
  return new Set([...isDeclined].flatMap(([meant, isSo]) => (isSo ? meant.map(({ entry }) => entry.id) : [])));
}

function longestEnds(standing: readonly StandingPhrase<Called>[]): ReadonlyMap<number, number> {
  const longest = new Map<number, number>();
  for (const { from, to } of standing) longest.set(from, Math.max(to, longest.get(from) ?? to));
  return longest;
}
