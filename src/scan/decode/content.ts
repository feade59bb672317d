import { isUtf8 } from "node:buffer";
import { gunzipSync, inflateSync } from "node:zlib";

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

/** What bytes say, if they say something; undefined for noise, pictures, what is packed and the like. */
export function readableText(bytes: Uint8Array): string | undefined {
  return asUtf16(bytes) ?? asUtf8(bytes) ?? longestAscii(bytes);
}

/** The shortest text worth a look, in characters: less than this is letters by accident. */
const shortest = 6;

export function isReadable(text: string): boolean {
  if (text.length < shortest) return false;
  const odd = text.match(/[^\t\n\r\x20-\x7e\u00a0-\uffff]/g)?.length ?? 0;
  const foreign = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  // Few bytes are valid UTF-8 by accident; short ones more often than long ones.
  return odd * 20 <= text.length && (foreign === 0 || text.length >= 2 * shortest);
}

function asUtf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes).toString("utf8");
  return isReadable(text) ? text : undefined;
}

/** PowerShell takes its encoded commands so. */
function asUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length < 2 * shortest || bytes.length % 2 === 1 || bytes[1] !== 0 || bytes[3] !== 0) return undefined;
  const text = Buffer.from(bytes).toString("utf16le");
  return isReadable(text) ? text : undefined;
}

/** Where something else stands before or behind the encoded text and was decoded with it: at least half of it. */
function longestAscii(bytes: Uint8Array): string | undefined {
  let [best, from] = [{ start: 0, end: 0 }, 0];
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x09) continue;
    if (at - from > best.end - best.start) best = { start: from, end: at };
    from = at + 1;
  }
  const length = best.end - best.start;
  if (length < 2 * shortest || length * 2 < bytes.length) return undefined;
  return Buffer.from(bytes.subarray(best.start, best.end)).toString("latin1");
}

/** So much is unpacked of one stretch; what is larger counts as not read. */
export const largestUnpacked = 64 * 1024;

function isPacked(bytes: Uint8Array): boolean {
  return isGzip(bytes) || isZlib(bytes);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZlib(bytes: Uint8Array): boolean {
  return bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0);
}

interface Unpacked {
  readonly text?: string;
  readonly isTooLarge?: boolean;
}

/** What is packed in bytes, also twice or thrice over; nothing when it is no text or not packed at all. */
export function unpacked(bytes: Uint8Array): Unpacked {
  let inner = bytes;
  for (let times = 0; times < 3 && isPacked(inner); times++) {
    try {
      inner = (isGzip(inner) ? gunzipSync : inflateSync)(inner, { maxOutputLength: largestUnpacked });
    } catch (error) {
      return { isTooLarge: error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE" };
    }
    const text = readableText(inner);
    if (text !== undefined) return { text };
  }
  return {};
}
