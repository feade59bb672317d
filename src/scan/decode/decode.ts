import { lineStarts, type ScanText } from "../text.ts";
import { base64In, groupedBase64In } from "./base64.ts";
import { type Encoded, largestUnpacked, unpacked } from "./content.ts";
import { escapesIn, numbersIn, stringsIn } from "./escapes.ts";
import { unseenIn } from "./unseen.ts";

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

/** Of one text so many are decoded. */
const mostLayers = 200;

/** What is encoded in a text, one layer deep. Bounded: what is beyond the bounds is said by a rule (RV-6). */
export function layersIn(text: ScanText): readonly Layer[] {
  return encodedIn(text).layers;
}

/** The engine and two rules ask for it. */
const read = new WeakMap<ScanText, Contents>();
const budgets = new WeakMap<ScanText, Budget>();

/** What is decoded of a text is taken from this; without it, each text has a budget of its own. */
export function decodeWithin(budget: Budget, text: ScanText): ScanText {
  budgets.set(text, budget);
  return text;
}

export function encodedIn(text: ScanText): Contents {
  const contents = read.get(text) ?? contentsOf(text);
  read.set(text, contents);
  return contents;
}

function contentsOf(text: ScanText): Contents {
  text.steps += text.raw.length;
  const budget = Budget.of(text.raw.length, mostLayers, budgets.get(text));
  const [layers, blobs, left]: [Layer[], Blob[], Encoded[]] = [[], [], []];
  const place = placesIn(text);
  for (const found of [...unseenIn(text.raw), ...decodersOf(text.text).map(place)]) {
    const { from, start, end } = found;
    const { text: decoded, bytes, isLeft } = opened(found, budget);
    if (decoded !== undefined && budget.take(decoded.length)) layers.push({ from, start, end, text: decoded });
    else if (decoded !== undefined || isLeft) {
      left.push(found);
      if (found.packed !== undefined) budget.waste(decoded?.length ?? 0);
    }
    if (bytes !== undefined && decoded === undefined) blobs.push({ from, start, end, bytes });
  }
  const [first] = left;
  return { layers, blobs, ...(first === undefined ? {} : { beyond: { ...first, count: left.length } }) };
}

interface Opened {
  readonly text?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
  readonly isLeft: boolean;
}

/** Unpacks only while there is room, and counts what came to nothing: a few bytes can be packed to stand for many (T26). */
function opened({ text, bytes, packed = [] }: Encoded, budget: Budget): Opened {
  if (packed.length > 0 && budget.isSpent) return { bytes, isLeft: true };
  const found = packed.map(unpacked);
  const isTooLarge = found.some((one) => one.isTooLarge === true);
  if (isTooLarge) budget.waste(largestUnpacked);
  const said = found.find((one) => one.text !== undefined)?.text ?? (isTooLarge ? undefined : text);
  if (said !== undefined) return { text: said, isLeft: false };
  return { bytes: bytes ?? (isTooLarge ? packed[0] : undefined), isLeft: isTooLarge };
}

function decodersOf(text: string): readonly Encoded[] {
  return [base64In, groupedBase64In, numbersIn, escapesIn, stringsIn].flatMap((decode) => decode(text));
}

/** So far into a line its beginning is searched; beyond, the line has to do. */
const searched = 1024;

/** They look at the text as it is read, so that nothing invisible breaks up what is encoded; places are those of `raw`. */
function placesIn(scanned: ScanText): (found: Encoded) => Encoded {
  const { raw, text } = scanned;
  if (raw === text) return (found) => found;
  const rawLines = lineStarts(raw);
  return (found) => {
    const line = scanned.lineAt(found.start) - 1;
    const rawLine = rawLines[line] ?? 0;
    const nearby = raw.slice(rawLine, Math.min(rawLine + searched, rawLines[line + 1] ?? raw.length));
    const start = rawLine + Math.max(0, nearby.indexOf(text.slice(found.start, found.start + 16)));
    return { ...found, start, end: Math.min(raw.length, start + found.end - found.start) };
  };
}

/** So many characters are decoded of one text, and of all that is encoded in it, however small it is and however large. */
const fewestCharacters = 256 * 1024;
const mostCharacters = 512 * 1024;

/** How much may still be decoded. What is taken from a part is taken from the whole as well. */
export class Budget {
  #characters: number;
  #layers: number;
  readonly #whole: Budget | undefined;

  constructor(characters: number, layers: number, whole?: Budget) {
    this.#characters = characters;
    this.#layers = layers;
    this.#whole = whole;
  }

  /** Of a text with so many characters: what is packed may be a little more, not many times as much (T26). */
  static of(length: number, layers: number, whole?: Budget): Budget {
    const characters = Math.min(mostCharacters, Math.max(fewestCharacters, 2 * length));
    return new Budget(characters, layers, whole);
  }

  get isSpent(): boolean {
    return this.#characters <= 0 || this.#layers <= 0 || this.#whole?.isSpent === true;
  }

  /** Whether a layer of so many characters can be had; then it is taken. */
  take(characters: number): boolean {
    if (!this.#has(characters)) return false;
    this.#use(characters, 1);
    return true;
  }

  /** For work that came to nothing. */
  waste(characters: number): void {
    this.#use(characters, 0);
  }

  #has(characters: number): boolean {
    const isHere = this.#layers > 0 && this.#characters >= characters;
    return isHere && (this.#whole === undefined || this.#whole.#has(characters));
  }

  #use(characters: number, layers: number): void {
    this.#characters -= characters;
    this.#layers -= layers;
    if (this.#whole !== undefined) this.#whole.#use(characters, layers);
  }
}
