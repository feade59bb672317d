/**
 * Path patterns held against paths, both by segments: `*` and `?` in a name, `**` for any folders. What a name or a `**`
 * in the middle takes is what comes first, and is never gone back to, so that no pattern takes longer than its length
 * times that of the path (T26, docs/adr/0013-one-glob-matcher.md).
 */

/** A name of a pattern, by the pieces between its `*`. */
interface Name {
  readonly text: string;
  readonly isPlain: boolean;
  /** Whether it has a `?`. */
  readonly asks: boolean;
  /** What stands before the first `*`; all of it when there is none. */
  readonly head: string;
  readonly middle: readonly string[];
  /** What stands behind the last `*`; null when there is none. */
  readonly tail: string | null;
}

/** A pattern, by the runs of names between its `**`: what floats between them is looked for from the left. */
type Runs = readonly (readonly Name[])[];

const mostStars = 4;
const longestFloating = 4;

/**
 * What makes a pattern slow to hold against every path of every call (SC-7, T26), or null. `?` between two `*` is the one
 * form whose place has to be tried out character by character.
 */
export function slowForm(segments: readonly string[]): string | null {
  const names = segments.filter((segment) => segment !== "**").map((segment) => segment.split("*"));
  if (names.some((pieces) => pieces.length - 1 > mostStars)) return `a name has at most ${mostStars} \`*\``;
  if (names.some((pieces) => pieces.slice(1, -1).some((piece) => piece.includes("?"))))
    return "`?` does not stand between two `*` of a name";
  const [, ...floating] = readRuns(segments);
  return floating.some((run) => run.length > longestFloating)
    ? `behind \`**\` stand at most ${longestFloating} names`
    : null;
}

/** Patterns are held against every path of every call: those that cannot change are taken apart once. */
const known = new WeakMap<readonly string[], Runs>();

function runsOf(pattern: readonly string[]): Runs {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const runs = readRuns(pattern);
  if (Object.isFrozen(pattern)) known.set(pattern, runs);
  return runs;
}

function readRuns(pattern: readonly string[]): Runs {
  const runs: Name[][] = [[]];
  for (const segment of pattern) {
    if (segment === "**") runs.push([]);
    else runs.at(-1)?.push(readName(segment));
  }
  return runs;
}

function readName(text: string): Name {
  const [head = "", ...more] = text.split("*");
  return {
    text,
    isPlain: !hasWildcard(text),
    asks: text.includes("?"),
    head,
    middle: more.slice(0, -1),
    tail: more.at(-1) ?? null,
  };
}

export function hasWildcard(segment: string): boolean {
  return segment.includes("*") || segment.includes("?");
}

/** Whether the first `length` segments of a path fit a whole pattern. */
export function fitsAll(pattern: readonly string[], path: readonly string[], length: number): boolean {
  const runs = runsOf(pattern);
  const first = runs[0] ?? [];
  const last = runs.at(-1) ?? [];
  if (runs.length === 1) return length === first.length && fitsAt(first, path, 0);
  const end = length - last.length;
  return end >= first.length && fitsAt(first, path, 0) && fitsAt(last, path, end) && floats(runs, path, end, 1);
}

/** Whether a path, or a folder that it is in, fits a whole pattern. */
export function fitsHead(pattern: readonly string[], path: readonly string[]): boolean {
  const runs = runsOf(pattern);
  const first = runs[0] ?? [];
  return path.length >= first.length && fitsAt(first, path, 0) && floats(runs, path, path.length, 0);
}

/** Whether a path, or something that could be in it, fits a whole pattern. */
export function mayHold(pattern: readonly string[], path: readonly string[]): boolean {
  const runs = runsOf(pattern);
  const first = runs[0] ?? [];
  if (runs.length === 1 && path.length > first.length) return false;
  return path.length < first.length ? fitsAt(first.slice(0, path.length), path, 0) : fitsAt(first, path, 0);
}

/** Whether the runs behind the first, but for some at the end, come one after the other before `end`. */
function floats(runs: Runs, path: readonly string[], end: number, butLast: number): boolean {
  let from = runs[0]?.length ?? 0;
  for (let at = 1; at < runs.length - butLast; at++) {
    const run = runs[at] ?? [];
    while (from + run.length <= end && !fitsAt(run, path, from)) from++;
    from += run.length;
    if (from > end) return false;
  }
  return true;
}

function fitsAt(run: readonly Name[], path: readonly string[], from: number): boolean {
  for (let at = 0; at < run.length; at++) {
    const name = run[at];
    const segment = path[from + at];
    if (name === undefined || segment === undefined || !fitsName(name, segment)) return false;
  }
  return true;
}

export function fitsSegment(wanted: string, segment: string): boolean {
  return fitsName(readName(wanted), segment);
}

/** The first and the last piece have their place; those between are taken where they come first. */
function fitsName(name: Name, segment: string): boolean {
  const { head, middle, tail } = name;
  if (name.isPlain) return name.text === segment;
  let from = name.asks ? endOfHead(head, segment, 0) : segment.startsWith(head) ? head.length : -1;
  if (tail === null || from < 0) return from === segment.length;
  const end = name.asks ? startOfTail(tail, segment) : segment.endsWith(tail) ? segment.length - tail.length : -1;
  if (end < from) return false;
  for (const piece of middle) {
    from = name.asks ? endOfFirst(piece, segment, from) : endOfPlain(piece, segment, from);
    if (from < 0 || from > end) return false;
  }
  return from <= end;
}

function endOfPlain(piece: string, segment: string, from: number): number {
  const found = segment.indexOf(piece, from);
  return found < 0 ? -1 : found + piece.length;
}

/** Where a piece ends that comes first from there on. */
function endOfFirst(piece: string, segment: string, from: number): number {
  for (let at = from; at <= segment.length; at++) {
    const end = endOfHead(piece, segment, at);
    if (end >= 0) return end;
  }
  return -1;
}

const questionMark = 0x3f;

/** Where a piece ends that stands at `start` of a segment; -1 when it does not. `?` is one character, of one unit or of two. */
function endOfHead(piece: string, segment: string, start: number): number {
  let here = start;
  for (let at = 0; at < piece.length; at++) {
    const unit = segment.charCodeAt(here);
    const wanted = piece.charCodeAt(at);
    if (here >= segment.length || (wanted !== questionMark && wanted !== unit)) return -1;
    here += wanted === questionMark && isBetween(unit, 0xd800, 0xdbff) ? 2 : 1;
  }
  return here;
}

/** Where a piece starts that a segment ends with; -1 when it does not. */
function startOfTail(piece: string, segment: string): number {
  let here = segment.length;
  for (let at = piece.length - 1; at >= 0; at--) {
    const unit = segment.charCodeAt(here - 1);
    const wanted = piece.charCodeAt(at);
    if (here <= 0 || (wanted !== questionMark && wanted !== unit)) return -1;
    here -= wanted === questionMark && isBetween(unit, 0xdc00, 0xdfff) ? 2 : 1;
  }
  return here;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}
