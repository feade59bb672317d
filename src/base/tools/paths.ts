import { hasUnseen, isPrintableAscii } from "../text.ts";

/** Paths and path patterns by segments, as entries of a scope are held against calls (SC-7). */

const longestPath = 4096;
const longestSegment = 255;
const mostSegments = 256;

/** Drives, streams and short names: Windows spells one file in several ways, and a pattern would see only one. */
const spellings = /[\\:]|~\d/;

/** A path from the root of the workspace by its segments (none: the root itself), or why it cannot be judged. */
export function readPath(path: string): readonly string[] | string {
  if (path === "") return "an empty path";
  if (path.length > longestPath) return "a path that is too long";
  if (path.startsWith("/") || path.startsWith("~")) return "a path that does not start in the workspace";
  if (spellings.test(path) || hasUnseen(path)) return "a path with characters that can mean another one";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length > mostSegments) return "a path that is too deep";
  const odd = segments.find(isOddSegment);
  if (odd === undefined) return segments;
  return odd === ".." ? "a path with `..`" : "a path with a name that can mean another one";
}

/** `..`, and what some file systems take for a shorter name. */
function isOddSegment(segment: string): boolean {
  return segment.endsWith(".") || segment.endsWith(" ") || segment.length > longestSegment;
}

/** Anything but names, `*`, `?` and `**`: sets, alternatives, negation, a home, blanks around it. */
const unknownForm = /^[/~!\s]|[\\[\]{}():]|\s$/;

/** The segments of a path pattern; null when it is of a form that is not known. */
export function readPathPattern(text: string): readonly string[] | null {
  if (text === "" || unknownForm.test(text) || hasUnseen(text)) return null;
  const segments = text.split("/").filter((segment) => segment !== ".");
  const isKnown = segments.every((segment) => segment !== "" && !isOddSegment(segment) && isKnownWildcard(segment));
  if (!isKnown || segments.length === 0) return null;
  return segments.filter((segment, at) => segment !== "**" || segments[at - 1] !== "**");
}

function isKnownWildcard(segment: string): boolean {
  return segment === "**" || !segment.includes("**");
}

/** On the side that forbids one file has one spelling: file systems fold case and compose accents. */
function foldSegment(segment: string): string {
  if (isPrintableAscii(segment)) return segment.toLowerCase();
  // There and back folds what lower case alone keeps apart: ß and ss, the two lowercase sigmas.
  return segment.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}

/** A pattern that forbids. `?` is any number of characters there: what was folded may have more of them. */
export function foldPattern(segments: readonly string[]): readonly string[] {
  return segments.map((segment) => foldSegment(segment).replaceAll("?", "*"));
}

/** Whether a path pattern lets a file through: a last `**` stands for at least the file's name. */
export function fitsFile(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) !== "**") return walk(pattern, path).isAtEnd;
  return path.length > 0 && walk(pattern, path.slice(0, -1)).isAtEnd;
}

/** Whether it lets a folder through with all that is in it: `src/**` does, `src/*` does not. */
export function fitsFolder(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === "**") return walk(pattern, path).isAtEnd;
  return !pattern.some(hasWildcard) && pattern.length === path.length && walk(pattern, path).isAtEnd;
}

/** Whether a forbidden pattern is about a path: it, a folder that it is in, or one that holds what is forbidden. */
export function reaches(pattern: readonly string[], path: readonly string[], isFolderTool: boolean): boolean {
  const folded = path.map(foldSegment);
  const { hasEnded, isAlive } = walk(pattern, folded);
  // A file is no folder above every `**/.env`: only what is named in full counts as above for a tool of files.
  return hasEnded || (isFolderTool ? isAlive : isNamedAbove(pattern, folded));
}

function isNamedAbove(pattern: readonly string[], path: readonly string[]): boolean {
  return path.length < pattern.length && path.every((segment, at) => segment === pattern[at]);
}

/** Whether a folded pattern and another one may be about the same path. True when in doubt. */
export function mayMeet(forbidden: readonly string[], pattern: readonly string[]): boolean {
  const other = foldPattern(pattern);
  for (const [at, segment] of forbidden.entries()) {
    const beside = other[at];
    // One is a folder of the other, or may be.
    if (beside === undefined || beside === "**" || segment === "**") return true;
    // A `*` beside a letter whose accent stands alone fits what the composed letter does not.
    const isSure = isPrintableAscii(segment + beside) && !(hasWildcard(segment) && hasWildcard(beside));
    if (!isSure && (hasWildcard(segment) || hasWildcard(beside))) continue;
    if (!fitsSegment(segment, beside) && !fitsSegment(beside, segment)) return false;
  }
  return true;
}

interface Walk {
  /** The whole path fits the whole pattern. */
  readonly isAtEnd: boolean;
  /** The path, or a folder that it is in, does. */
  readonly hasEnded: boolean;
  /** The path fits, or something that could be in it. */
  readonly isAlive: boolean;
}

/** All places in the pattern that a path can lead to, kept side by side: never more than their product (T26). */
function walk(pattern: readonly string[], path: readonly string[]): Walk {
  let places = new Set<number>();
  enter(places, pattern, 0);
  let hasEnded = places.has(pattern.length);
  for (const segment of path) {
    const next = new Set<number>();
    for (const place of places) {
      const wanted = pattern[place];
      if (wanted === "**") enter(next, pattern, place);
      else if (wanted !== undefined && fitsSegment(wanted, segment)) enter(next, pattern, place + 1);
    }
    places = next;
    hasEnded ||= places.has(pattern.length);
  }
  return { isAtEnd: places.has(pattern.length), hasEnded, isAlive: places.size > 0 };
}

/** `**` also stands for no folder at all. */
function enter(places: Set<number>, pattern: readonly string[], place: number): void {
  places.add(place);
  if (pattern[place] === "**") enter(places, pattern, place + 1);
}

function hasWildcard(segment: string): boolean {
  return segment.includes("*") || segment.includes("?");
}

function fitsSegment(wanted: string, segment: string): boolean {
  if (wanted === "*") return true;
  return hasWildcard(wanted) ? fitsWildcards(Array.from(wanted), Array.from(segment)) : wanted === segment;
}

/** Only the last `*` is ever gone back to: what an earlier one could take, it can take too. */
function fitsWildcards(wanted: readonly string[], characters: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let here = 0; here < characters.length; ) {
    if (wanted[at] === "*") {
      star = at++;
      taken = here;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === characters[here])) {
      at++;
      here++;
    } else if (star >= 0) {
      at = star + 1;
      here = ++taken;
    } else return false;
  }
  return wanted.slice(at).every((character) => character === "*");
}
