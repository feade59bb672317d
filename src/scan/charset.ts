/** Bytes as text, and how they were written. */
export interface ReadText {
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16" | "Latin-1";
}

/** Undefined: they are no text. A few controls, also NUL, do not make a text something else: rules look for them. */
export function textOf(bytes: Uint8Array): ReadText | undefined {
  if (hasMark(bytes)) return utf16(bytes, bytes[0] === 0xfe);
  const nul = nulShare(bytes);
  const wide =
    nul.odd > 0.4 && nul.even < 0.1
      ? utf16(bytes, false)
      : nul.even > 0.4 && nul.odd < 0.1
        ? utf16(bytes, true)
        : undefined;
  if (wide !== undefined && bytes.length >= 8 && !control.test(wide.text) && isMostlyAscii(wide.text)) return wide;
  const utf8 = decode("utf-8", bytes);
  if (utf8 !== undefined) return isText(utf8) ? { text: utf8, encoding: "UTF-8" } : undefined;
  const latin1 = decode("windows-1252", bytes);
  return latin1 !== undefined && !control.test(latin1) && isMostlyAscii(latin1)
    ? { text: latin1, encoding: "Latin-1" }
    : undefined;
}

/** A byte-order mark of UTF-16. */
function hasMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * What bytes that are not UTF-8 say to a reader who takes them for it all the same, as shells and models do: what is
 * wrong is passed over, and so is NUL.
 */
export function lenientText(bytes: Uint8Array): string | undefined {
  const marked = hasMark(bytes) ? bytes.subarray(2) : bytes;
  const text = new TextDecoder("utf-8").decode(marked).replaceAll("\0", "");
  return isText(text) && isMostlyAscii(text) ? text : undefined;
}

// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0e-\x1a]/;

function utf16(bytes: Uint8Array, isBigEndian: boolean): ReadText | undefined {
  const text = decode(isBigEndian ? "utf-16be" : "utf-16le", bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return text !== undefined && isText(text) ? { text, encoding: "UTF-16" } : undefined;
}

/** A text may be cut in the middle of a character: its end is not waited for. */
function decode(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

const looked = 4096;

/** How many of the bytes at even and at odd places are NUL: in UTF-16, ASCII has one at every other place. */
function nulShare(bytes: Uint8Array): { readonly even: number; readonly odd: number } {
  const head = bytes.subarray(0, looked);
  let [even, odd] = [0, 0];
  for (let at = head.indexOf(0); at !== -1; at = head.indexOf(0, at + 1)) {
    if (at % 2 === 0) even++;
    else odd++;
  }
  const half = Math.max(1, head.length / 2);
  return { even: even / half, odd: odd / half };
}

/** In a short text a few are much. */
const fewControls = 16;

function isText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls = text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return controls <= fewControls + text.length / 10;
}

function isMostlyAscii(text: string): boolean {
  return (text.match(/[^\0-\x7f]/g)?.length ?? 0) * 3 <= text.length;
}
