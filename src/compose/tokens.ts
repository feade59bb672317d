import { estimateTokenCount } from "tokenx";

/** About how many tokens a text has, for any model: near enough to keep a budget by, and quick at any length. */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}

/** A counter of exactly the tokens that models of the o200k vocabulary see. Loading it takes a quarter of a second. */
export async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => partsOf(text.toWellFormed()).reduce((sum, part) => sum + countTokens(part, asText), 0);
}

/** A skill that writes `<|endoftext|>` has written text; by default the tokenizer throws. */
const asText = { disallowedSpecial: new Set<string>() };

/** No word is that long; counting one piece takes the square of its length. */
const longestRun = 128;
const runs = /[\r\n/]{1,128}|[\p{L}\p{M}]{1,128}|\p{N}+|[^\s\p{L}\p{N}]{1,128}|\s{1,128}/gu;

/** T26: cut after each run of letters, signs or blanks that is longer than any word; at most one token more for each. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length < longestRun) continue;
    const end = index + run.length;
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}
