import { isPrintableAscii } from "../../core/text.ts";
import { hasHidden, withoutJoiners } from "./tools.ts";
import { fitsAll, fitsHead, fitsSegment, hasWildcard, mayHold, slowForm } from "../../core/glob.ts";

/** Paths and path patterns by segments, as entries of a scope are held against calls (SC-7). */

const longestPath = 4096;
const longestSegment = 255;
const deepestPath = 256;

/** Of all paths of one call: what a call costs is this, times the entries that it is held against (T26). */
export const mostPaths = 1024;
const longestPaths = 65_536;
const mostSegments = 4096;

/** Drives, streams and short names: Windows spells one file in several ways, and a pattern would see only one. */
const spellings = /[\\:]|~\d/;

/** All paths of a call, or why they cannot be judged. */
export function readPaths(paths: readonly string[]): readonly (readonly string[])[] | string {
  const tooMany = "more paths than can be judged";
  if (paths.length > mostPaths || paths.reduce((sum, path) => sum + path.length, 0) > longestPaths) return tooMany;
  const read: (readonly string[])[] = [];
  let count = 0;
  for (const path of paths) {
    const segments = readPath(path);
    if (typeof segments === "string") return segments;
    count += segments.length;
    if (count > mostSegments) return tooMany;
    read.push(segments);
  }
  return read;
}

/** A path from the root of the workspace by its segments (none: the root itself), or why it cannot be judged. */
function readPath(path: string): readonly string[] | string {
  if (path === "") return "an empty path";
  if (path.length > longestPath) return "a path that is too long";
  if (path.startsWith("/") || path.startsWith("~")) return "a path that does not start in the workspace";
  if (spellings.test(path) || hasHidden(path)) return "a path with characters that can mean another one";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length > deepestPath) return "a path that is too deep";
  const odd = segments.find(isOddSegment);
  if (odd === undefined) return segments;
  return odd === ".." ? "a path with `..`" : "a path with a name that can mean another one";
}

/** `..`, and what some file systems take for a shorter name. */
function isOddSegment(segment: string): boolean {
  return segment.endsWith(".") || segment.endsWith(" ") || segment.length > longestSegment;
}

/** Anything but names, `*`, `?` and `**`: sets, alternatives, negation. */
const unknownForm = /^!|[\\[\]{}():]/;

/** The segments of a path pattern, or why its form is not known. */
export function readPathPattern(text: string): readonly string[] | string {
  if (text === "") return "it has no path";
  if (/^[/~]/.test(text)) return "a path starts in the workspace, without `/` or `~`";
  if (text !== text.trim() || hasHidden(text)) return "the path has blanks around it or characters that are not seen";
  if (unknownForm.test(text)) return "in a path only `*`, `?` and `**` stand for something else";
  const segments = text.split("/").filter((segment) => segment !== ".");
  const fault = segments.length === 0 ? "it has no path" : (segmentFault(segments) ?? slowForm(segments));
  return fault ?? Object.freeze(segments.filter((segment, at) => segment !== "**" || segments[at - 1] !== "**"));
}

function segmentFault(segments: readonly string[]): string | null {
  if (segments.includes("..")) return "a path has no `..`";
  if (segments.at(-1) === "") return "a path ends without `/`; `/**` is what is in a folder";
  if (segments.some((segment) => segment === "" || isOddSegment(segment)))
    return "the path has a name that can mean another one";
  const isInName = segments.some((segment) => segment !== "**" && segment.includes("**"));
  return isInName ? "`**` stands alone between `/`" : null;
}

/** On the side that forbids one file has one spelling: file systems fold case, and accents may stand apart. */
function foldSegment(segment: string): string {
  if (isPrintableAscii(segment)) return segment.toLowerCase();
  // There and back folds what lower case alone keeps apart: ß and ss, the two lowercase sigmas.
  const folded = withoutJoiners(segment).normalize("NFD").toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize("NFD");
}

/** A pattern that forbids. `?` is any number of characters there: what was folded may have more of them. */
export function foldPattern(segments: readonly string[]): readonly string[] {
  const folded = segments.map((segment) => (segment === "**" ? segment : foldSegment(segment).replace(/[*?]+/g, "*")));
  return Object.freeze(folded);
}

/** Whether a path pattern lets a file through: a last `**` stands for at least the file's name. */
export function fitsFile(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) !== "**") return fitsAll(pattern, path, path.length);
  return path.length > 0 && fitsAll(pattern, path, path.length - 1);
}

/** Whether it lets a folder through with all that is in it: `src/**` does, `src/*` does not. */
export function fitsFolder(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === "**") return fitsAll(pattern, path, path.length);
  return pattern.length === path.length && !pattern.some(hasWildcard) && fitsAll(pattern, path, path.length);
}

type Paths = readonly (readonly string[])[];

/** A call is held against many entries, and its paths are folded for the first of them. */
const foldedPaths = new WeakMap<Paths, Paths>();

function foldPaths(paths: Paths): Paths {
  const known = foldedPaths.get(paths);
  if (known !== undefined) return known;
  const all = paths.map((path) => path.map(foldSegment));
  foldedPaths.set(paths, all);
  return all;
}

/** Whether a forbidden pattern is about one of the paths: it, a folder it is in, or one that holds what is forbidden. */
export function reachesSome(pattern: readonly string[], paths: Paths, isFolderTool: boolean): boolean {
  // A file is no folder above every `**/.env`: only what is named in full counts as above for a tool of files.
  const isAbove = isFolderTool ? mayHold : isNamedAbove;
  return foldPaths(paths).some((path) => fitsHead(pattern, path) || isAbove(pattern, path));
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
