const sentenceEnd =
  /[.!?;。！？][)"'*_`]{0,3}\s|[。！？]|\n\s{0,8}\n|\n\s{0,8}(?:[-*+|]|\d{1,2}[.)])\s|["'\])}],\n\s{0,12}(?=["'])|^ {0,3}#{1,6} [^\n]{0,200}\n/gm;

/** From the start of the sentence to a place, also over the end of a line; at most a fixed stretch. */
export function sentenceBefore(lower: string, at: number): string {
  const stretch = lower.slice(Math.max(0, at - 200), at);
  let start = 0;
  for (const { index, 0: end } of stretch.matchAll(sentenceEnd)) start = index + end.length;
  // Where the stretch was cut no sentence begins.
  return start === 0 && at > stretch.length ? `…${stretch}` : stretch.slice(start);
}

/** Whether a line is inside of quotation marks where it ends. */
export function isInQuotes(line: string): boolean {
  // A value of the header that is in quotes as a whole is not a quotation.
  const before = line.replace(/^\s{0,8}[\w-]{1,40}:\s{0,4}["']/, "");
  if (before.split('"').length % 2 === 0 || before.split("`").length % 2 === 0) return true;
  const pairs = ["“”", "«»", "「」", "„“"].some(
    ([open = "", close = ""]) => before.lastIndexOf(open) > before.lastIndexOf(close),
  );
  return pairs || /(?:^|[\s([{=:,|]r?)'[^'\n]{0,300}$/.test(before);
}

/** Where the quotation begins that is not closed at the end of a line's start; -1 where there is none. */
export function openingQuote(before: string): number {
  if (before.split('"').length % 2 === 0) return before.lastIndexOf('"');
  return Math.max(
    ...["“”", "«»", "「」", "„“"].map(([open = "", close = ""]) => {
      const at = before.lastIndexOf(open);
      return at > before.lastIndexOf(close) ? at : -1;
    }),
  );
}
