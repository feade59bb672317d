import { lazily, wordsOf } from "./words.ts";

const negators = lazily(
  () =>
    new Set(
      wordsOf("not no without never dont don isnt doesnt wont except rather instead nor").map(({ token }) => token),
    ),
);
/** So far a negation reaches. */
const reach = 7;
const clauseEnd = /[.,;:!?\n()—]/;

/** Tokens that stand only where the query says what it is not about: "no framework", "do not deploy". */
export function negatedTokens(text: string): ReadonlySet<string> {
  const [inside, outside] = [new Set<string>(), new Set<string>()];
  for (const clause of text.split(clauseEnd)) {
    let left = 0;
    for (const { token } of wordsOf(clause)) {
      if (negators().has(token)) left = reach;
      else if (left > 0) {
        inside.add(token);
        left--;
      } else outside.add(token);
    }
  }
  return new Set([...inside].filter((token) => !outside.has(token)));
}
