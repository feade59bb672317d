import { evened, foldText } from "./fold/fold.ts";
import { type Region, type RegionKind, regionsOf } from "./regions.ts";
import { type Stretch, Trigrams } from "./trigrams.ts";

export type TextKind = "markdown" | "code" | "data";

/** A text under the scanner, in the forms that rules look at. Each form is made once, when it is first asked for. */
export class ScanText {
  readonly file: string;
  readonly kind: TextKind;
  /** As it was written. */
  readonly raw: string;
  /**
   * As a model reads it: without what cannot be seen, look-alike letters and entities resolved, its words one blank
   * apart. Lines that a backslash joins are one here; `lineAt` knows.
   */
  readonly text: string;
  /** `text` in lower case, of the same length: what patterns run on. */
  readonly lower: string;
  /** Characters that patterns were run over: the measure of work (T26). */
  steps = 0;
  readonly #joins: readonly number[];
  readonly #found = new Map<RegExp, readonly Stretch[]>();
  #trigrams: Trigrams | undefined;
  #words: ReadonlySet<string> | undefined;
  #regions: readonly Region[] | undefined;
  #starts: readonly number[] | undefined;
  #rawStarts: readonly number[] | undefined;

  constructor(file: string, raw: string, kind: TextKind = kindOf(file)) {
    this.file = file;
    this.kind = kind;
    this.raw = raw;
    const { text, joins } = evened(foldText(raw));
    this.text = text;
    this.#joins = joins;
    this.lower = lowerOf(this.text);
  }

  /** Every run of letters and digits in it, in lower case: most rules need one of a few words, and most texts have none. */
  get words(): ReadonlySet<string> {
    this.#words ??= new Set(this.lower.match(/[a-z0-9]+/g) ?? []);
    return this.#words;
  }

  hasAny(words: readonly string[]): boolean {
    return words.some((word) => this.words.has(word));
  }

  /** Every place where a pattern fits. Several rules may ask for the same one: it is run once. */
  all(pattern: RegExp): readonly Stretch[] {
    const known = this.#found.get(pattern);
    if (known !== undefined) return known;
    this.#trigrams ??= new Trigrams(this.lower);
    const found = this.#trigrams.find(pattern, (characters) => {
      this.steps += characters;
    });
    this.#found.set(pattern, found);
    return found;
  }

  /** Where in a Markdown text an offset of `text` is. */
  regionAt(offset: number): RegionKind {
    const region = this.regions[lastAtOrBefore(this.regions, offset, ({ start }) => start)];
    return region !== undefined && offset < region.end ? region.kind : "prose";
  }

  get regions(): readonly Region[] {
    this.#regions ??= regionsOf(this);
    return this.#regions;
  }

  /** The line of `raw` that an offset of `text` is on, from 1. */
  lineAt(offset: number): number {
    this.#starts ??= [...lineStarts(this.text), ...this.#joins].toSorted((a, b) => a - b);
    return lastAtOrBefore(this.#starts, offset, (start) => start) + 1;
  }

  /** The line of an offset of `raw`, from 1. */
  lineInRaw(offset: number): number {
    this.#rawStarts ??= lineStarts(this.raw);
    return lastAtOrBefore(this.#rawStarts, offset, (start) => start) + 1;
  }

  /** The line of `text` around an offset, at most so many characters to each side. */
  lineAround(offset: number, reach = 400): { readonly start: number; readonly text: string } {
    const from = Math.max(0, offset - reach);
    const start = Math.max(from, this.text.lastIndexOf("\n", offset - 1) + 1);
    const end = this.text.indexOf("\n", offset);
    const to = Math.min(offset + reach, end === -1 ? this.text.length : end);
    return { start, text: this.text.slice(start, to) };
  }
}

/** The index of the last item whose key is at most `offset`; -1 when there is none. */
function lastAtOrBefore<Item>(items: readonly Item[], offset: number, keyOf: (item: Item) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Some letters change their length in lower case; offsets must stay those of the text. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/[A-Z]+|[^\0-\x7f]/gu, (letters) => letters.toLowerCase().slice(0, letters.length));
}

const prose = /(?:^|\/)[^./]*$|\.(?:md|mdx|markdown|txt|rst|adoc)$/i;
const data = /\.(?:json|jsonl|ya?ml|toml|csv|tsv|xml|svg|html?|css|lock|ini|cfg|conf|env)$/i;

function kindOf(file: string): TextKind {
  if (prose.test(file)) return "markdown";
  return data.test(file) ? "data" : "code";
}
