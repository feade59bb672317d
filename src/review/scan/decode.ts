import { base64In } from "./decode/base64.ts";
import type { Encoded } from "./decode/encoded.ts";
import { escapesIn } from "./decode/escapes.ts";
import { numbersIn } from "./decode/numbers.ts";
import { stringsIn } from "./decode/strings.ts";
import { unseenIn } from "./decode/unseen.ts";
import type { ScanText } from "./text.ts";

/** Text that stood encoded or hidden in another text. */
export interface Layer {
  /** "base64", "hex", "percent", "tag characters", … */
  readonly from: string;
  /** Where its beginning is in `raw` of the text that holds it. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Bytes that stood encoded in a text and are no text. */
interface Blob {
  readonly from: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

interface Contents {
  readonly layers: readonly Layer[];
  readonly blobs: readonly Blob[];
  /** Where the first one stands that was not decoded, and how many there are. */
  readonly beyond?: { readonly start: number; readonly end: number; readonly count: number };
}

/** Of one text so many are decoded, and so many characters of them. */
const mostLayers = 200;
const mostCharacters = 512 * 1024;

/** What is encoded in a text, one layer deep. Bounded: what is beyond the bounds is said by a rule (RV-6). */
export function layersIn(text: ScanText): readonly Layer[] {
  return encodedIn(text).layers;
}

/** The engine and two rules ask for it. */
const read = new WeakMap<ScanText, Contents>();

export function encodedIn(text: ScanText): Contents {
  const contents = read.get(text) ?? contentsOf(text);
  read.set(text, contents);
  return contents;
}

function contentsOf(text: ScanText): Contents {
  text.steps += text.raw.length;
  const [layers, blobs, left]: [Layer[], Blob[], Encoded[]] = [[], [], []];
  const place = placesIn(text);
  let characters = 0;
  for (const found of [...unseenIn(text.raw), ...decodersOf(text.text).map(place)]) {
    const { from, start, end, text: decoded, bytes } = found;
    if (bytes !== undefined) blobs.push({ from, start, end, bytes });
    if (decoded === undefined) continue;
    characters += decoded.length;
    if (layers.length < mostLayers && characters <= mostCharacters) layers.push({ from, start, end, text: decoded });
    else left.push(found);
  }
  const [first] = left;
  return { layers, blobs, ...(first === undefined ? {} : { beyond: { ...first, count: left.length } }) };
}

function decodersOf(text: string): readonly Encoded[] {
  return [base64In, numbersIn, escapesIn, stringsIn].flatMap((decode) => decode(text));
}

/** So far into a line its beginning is searched; beyond, the line has to do. */
const searched = 1024;

/** They look at the text as it is read, so that nothing invisible breaks up what is encoded; places are those of `raw`. */
function placesIn({ raw, text }: ScanText): (found: Encoded) => Encoded {
  if (raw === text) return (found) => found;
  const [lines, rawLines] = [lineStarts(text), lineStarts(raw)];
  let line = 0;
  return (found) => {
    // Each decoder goes through the text from its beginning.
    if ((lines[line] ?? 0) > found.start) line = 0;
    while ((lines[line + 1] ?? text.length + 1) <= found.start) line++;
    const rawLine = rawLines[line] ?? 0;
    const nearby = raw.slice(rawLine, Math.min(rawLine + searched, rawLines[line + 1] ?? raw.length));
    const start = rawLine + Math.max(0, nearby.indexOf(text.slice(found.start, found.start + 16)));
    return { ...found, start, end: Math.min(raw.length, start + found.end - found.start) };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
