/** A stretch of a text that stands for something else: a text that can be read, or bytes that cannot. */
export interface Encoded {
  /** "base64", "hex", "tag characters", … */
  readonly from: string;
  readonly start: number;
  readonly end: number;
  readonly text?: string;
  readonly bytes?: Uint8Array;
}

/** So many bytes that are no text are worth a word. */
export const shortestData = 512;

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Puts together what stands on after a gap, in one pass. `continues` sees the gap and the piece before it. */
export function joinedBy(
  text: string,
  pieces: readonly Stretch[],
  continues: (between: string, before: string) => boolean,
): readonly (Stretch & { readonly joined: string })[] {
  const chains: { start: number; end: number; parts: string[] }[] = [];
  for (const { start, end } of pieces) {
    const chain = chains.at(-1);
    const piece = text.slice(start, end);
    // A gap is short: what is far away is not even cut out.
    const isNext =
      chain !== undefined &&
      start - chain.end <= 24 &&
      continues(text.slice(chain.end, start), chain.parts.at(-1) ?? "");
    if (isNext) {
      chain.parts.push(piece);
      chain.end = end;
    } else chains.push({ start, end, parts: [piece] });
  }
  return chains.map(({ start, end, parts }) => ({ start, end, joined: parts.join("") }));
}
