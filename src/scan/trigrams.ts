import { outlineOf, reach } from "./literals.ts";

const size = 1 << 15;
const block = 512;
const blocks = 32;
const segment = block * blocks;

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * In which parts of a text which three letters in a row stand: a bit for each of 32 blocks, for segment after segment.
 * Says for certain where a pattern can not begin to fit, without running it; the more it asks for, the fewer places are
 * left.
 */
export class Trigrams {
  readonly #text: string;
  readonly #segments: readonly Uint32Array[];

  constructor(text: string) {
    this.#text = text;
    const count = Math.max(1, Math.ceil(text.length / segment));
    this.#segments = Array.from({ length: count }, (_, at) => marksOf(text, at * segment));
  }

  /** Every place where a pattern fits, as `matchAll` finds them; `onRun` is told how much was looked at. */
  find(pattern: RegExp, onRun: (characters: number) => void): readonly Stretch[] {
    const needed = neededBy(pattern);
    const ranges = this.#ranges(needed);
    if (ranges.length === 0) return [];
    if (!needed.isLocal || needed.longest > block) {
      onRun(this.#text.length);
      return fits(pattern, this.#text, 0);
    }
    return ranges.flatMap(({ start, end }) => {
      const [from, to] = [Math.max(0, start - reach), Math.min(this.#text.length, end + block + reach)];
      onRun(to - from);
      return fits(pattern, this.#text.slice(from, to), from).filter((hit) => hit.start >= start && hit.start < end);
    });
  }

  /** Where a fitting stretch can begin; neighbouring blocks as one. */
  #ranges(needed: Needed): readonly Stretch[] {
    // What can be longer than a segment can have its clauses anywhere.
    if (needed.longest > segment - block) return this.#hasAll(needed) ? [{ start: 0, end: this.#text.length }] : [];
    const ranges: Stretch[] = [];
    for (let at = 0; at < this.#segments.length; at++) {
      const mask = this.#maskIn(at, needed);
      if (mask === 0) continue;
      for (let bit = 0; bit < blocks; bit++) {
        const start = at * segment + bit * block;
        if ((mask & (1 << bit)) === 0 || start >= this.#text.length) continue;
        const before = ranges.at(-1);
        if (before?.end === start) ranges[ranges.length - 1] = { start: before.start, end: start + block };
        else ranges.push({ start, end: start + block });
      }
    }
    return ranges;
  }

  #maskIn(at: number, { clauses, longest }: Needed): number {
    const spread = Math.ceil(longest / block);
    const [marks, next] = [this.#segments[at], this.#segments[at + 1]];
    let mask = -1;
    for (const clause of clauses) {
      let any = 0;
      for (const literal of clause) any |= literalMask(literal, mask, spread, marks, next);
      mask &= any;
      if (mask === 0) return 0;
    }
    return mask;
  }

  #hasAll({ clauses }: Needed): boolean {
    const isMarked = (place: number) => this.#segments.some((marks) => markAt(marks, place) !== 0);
    return clauses.every((clause) => clause.some((literal) => literal.every(isMarked)));
  }
}

/** What is needed stands in the block or in one of the next ones, up to where a stretch that begins in it can end. */
function literalMask(
  literal: Uint16Array,
  within: number,
  spread: number,
  marks: Uint32Array | undefined,
  next: Uint32Array | undefined,
): number {
  let mask = within;
  for (const place of literal) {
    const here = markAt(marks, place);
    const behind = markAt(next, place);
    let near = here;
    for (let by = 1; by <= spread; by++) near |= (here >>> by) | (behind << (blocks - by));
    mask &= near;
    if (mask === 0) return 0;
  }
  return mask;
}

function markAt(marks: Uint32Array | undefined, place: number): number {
  return marks === undefined ? 0 : (marks[place & (marks.length - 1)] ?? 0);
}

/** The trigrams that begin in one segment. A short text, of which there may be many, takes little room. */
function marksOf(text: string, start: number): Uint32Array {
  const most = Math.min(segment, text.length);
  const room = 2 ** Math.ceil(Math.log2(2 * most + 1));
  const marks = new Uint32Array(Math.min(size, Math.max(512, room)));
  const places = placesIn(text.slice(start, start + segment + 2));
  for (let at = 0; at < places.length; at++) {
    const place = (places[at] ?? 0) & (marks.length - 1);
    marks[place] = (marks[place] ?? 0) | (1 << (at / block));
  }
  return marks;
}

function fits(pattern: RegExp, text: string, offset: number): Stretch[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    start: offset + index,
    end: offset + index + found.length,
  }));
}

/** What a pattern asks for, its literals as the places of their letters in the table. */
interface Needed {
  readonly clauses: readonly (readonly Uint16Array[])[];
  readonly longest: number;
  readonly isLocal: boolean;
}

const known = new WeakMap<RegExp, Needed>();

function neededBy(pattern: RegExp): Needed {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const { clauses, ...outline } = outlineOf(pattern);
  // The shortest list first: it is the quickest to rule out.
  const inOrder = clauses.toSorted((a, b) => a.length - b.length);
  const needed = { ...outline, clauses: inOrder.map((clause) => clause.map(placesIn)) };
  known.set(pattern, needed);
  return needed;
}

function placesIn(text: string): Uint16Array {
  const places = new Uint16Array(Math.max(0, text.length - 2));
  let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 0; at < places.length; at++) {
    const third = text.charCodeAt(at + 2);
    places[at] = (Math.imul(first, 0x9e37) + Math.imul(second, 0x85eb) + Math.imul(third, 0xc2b3)) & (size - 1);
    first = second;
    second = third;
  }
  return places;
}
