import { isPacked, readableText } from "./readable.ts";

/** A stretch of a text that stands for something else: a text that can be read, or bytes that cannot. */
export interface Encoded {
  /** "base64", "hex", "tag characters", … */
  readonly from: string;
  readonly start: number;
  readonly end: number;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** What looks packed: it is unpacked where there is room for it. */
  readonly packed?: readonly Uint8Array[];
}

export type Content = Pick<Encoded, "text" | "bytes" | "packed">;

/** So many bytes that are no text are worth a word. */
const shortestData = 512;

/** What bytes are; undefined for a few that say nothing. What looks packed may still be a text that begins so. */
export function contentOf(bytes: Uint8Array): Content | undefined {
  const text = readableText(bytes);
  const packed = isPacked(bytes) ? { packed: [bytes] } : undefined;
  if (text !== undefined) return { text, ...packed };
  return bytes.length >= shortestData ? { bytes, ...packed } : packed;
}

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
