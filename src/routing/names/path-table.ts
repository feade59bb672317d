import { fitsAll } from "../../core/glob.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import { trusts } from "../../sources/trust.ts";
import { Foremost } from "../foremost.ts";
import type { Declared } from "../index/lexical-index.ts";
import type { Asked, Evidence } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import { byTrust, type Shelf, type ShelfEntry } from "../shelf.ts";

/** A path pattern that has been read. */
interface Glob {
  readonly written: string;
  /** What its braces stand for, each written out, by folders and the file's name. */
  readonly forms: readonly (readonly string[])[];
  /** How many characters of a path it names itself, dots aside. */
  readonly literals: number;
}

const longestPattern = 256;
const mostForms = 32;
/** Any folders, or none. */
const folders = "**";

/**
 * Reads `*`, `**`, `?` and `{a,b}`; all else is itself, in no case. A pattern may begin at any folder: nobody knows
 * which one a path was counted from. Null is one that is too much, or that fits every file and says nothing of any.
 */
export function readGlob(written: string): Glob | null {
  if (written.length > longestPattern) return null;
  const pattern = written.trim().toLowerCase().replaceAll("\\", "/");
  const forms = writtenOut(pattern)?.map((form) => Object.freeze(`${folders}/${form}`.split("/").filter(isSegment)));
  const literals = Math.min(
    ...(forms ?? []).map((form) => form.reduce((count, segment) => count + segment.replace(/[*?.]/g, "").length, 0)),
  );
  return forms === undefined || literals === 0 ? null : { written, forms, literals };
}

/** Whether a path fits. */
export function fits({ forms }: Glob, path: string): boolean {
  const segments = path.toLowerCase().split("/").filter(isSegment);
  return forms.some((form) => fitsAll(form, segments, segments.length));
}

function isSegment(segment: string): boolean {
  return segment !== "" && segment !== ".";
}

/** The innermost braces first, until there are none; undefined when that makes too many. */
function writtenOut(pattern: string): readonly string[] | undefined {
  let forms: readonly string[] = [pattern.endsWith("/") ? pattern + folders : pattern];
  while (forms.some((form) => innermost.test(form))) {
    forms = forms.flatMap(withoutOneBrace);
    if (forms.length > mostForms) return undefined;
  }
  return forms;
}

const innermost = /\{([^{}]{0,256})\}/;

function withoutOneBrace(form: string): readonly string[] {
  const found = innermost.exec(form);
  if (found === null) return [form];
  const [whole, inside = ""] = found;
  const [head, tail] = [form.slice(0, found.index), form.slice(found.index + whole.length)];
  return inside.split(",").map((choice) => head + choice + tail);
}

const mostPatterns = 50;
const mostEntries = 1000;
/** Patterns without a name of their own are looked up by so many characters of the end of what they fit. */
const longestEnd = 4;
/** So many patterns of one name or end are tried, the most specific. */
const mostTried = 500;
/** Characters of patterns times characters of paths, for one query. */
const mostSteps = 1_000_000;

/** Entries that are meant for the files which fit a pattern. */
interface PathRule {
  readonly glob: Glob;
  readonly entries: readonly ShelfEntry[];
}

/** The path patterns of a shelf. */
export interface PathTable {
  /** Names of files without a type that some pattern has as they are, as `dockerfile`. In lower case. */
  readonly plainNames: ReadonlySet<string>;
  /** What each path fits, the most specific first. */
  rulesFor(paths: readonly string[]): readonly { readonly path: string; readonly rule: PathRule }[];
}

/** RT-2: of skills that are trusted enough to be heard. */
export const pathTableOf = madeOnce(function* (shelf: Shelf): Generator<void, PathTable> {
  yield* heardIn.prepare(shelf);
  const entries = new Foremost(byTrust, mostEntries);
  yield* inSteps(heardIn.of(shelf), ({ entry, declared }) => {
    for (const written of new Set(declared.paths.slice(0, mostPatterns))) entries.add(written, entry);
  });
  const globs = new Foremost(bySpecificity, mostTried);
  const plainNames = new Set<string>();
  yield* inSteps(entries.keys(), (written) => {
    const glob = readGlob(written);
    if (glob === null) return;
    for (const key of new Set(glob.forms.map(keyOf))) globs.add(key, glob);
    for (const name of plainNamesOf(glob)) plainNames.add(name);
  });
  const ruleOf = (glob: Glob) => ({ glob, entries: entries.get(glob.written) ?? [] });
  return {
    plainNames,
    rulesFor: (paths) => fitting(globs, paths).map(({ path, glob }) => ({ path, rule: ruleOf(glob) })),
  };
});

function fitting(globs: Foremost<Glob>, paths: readonly string[]): readonly { path: string; glob: Glob }[] {
  let left = mostSteps;
  return paths.flatMap((path) => {
    const near = globsNear(globs, path).filter(({ written }) => (left -= written.length * path.length) > 0);
    return near.filter((glob) => fits(glob, path)).map((glob) => ({ path, glob }));
  });
}

function bySpecificity(a: Glob, b: Glob): number {
  return b.literals - a.literals || (a.written < b.written ? -1 : 1);
}

/** What every path has that fits: the longest name that the pattern has as it is, or else the end of the last one. */
function keyOf(form: readonly string[]): string {
  const names = form.filter((segment) => !/[*?]/.test(segment));
  if (names.length > 0) return `/${names.reduce((longest, name) => (name.length > longest.length ? name : longest))}`;
  return /[^*?]{0,4}$/.exec(form.at(-1) ?? "")?.[0] ?? "";
}

function globsNear(globs: Foremost<Glob>, path: string): readonly Glob[] {
  const names = path.toLowerCase().split("/");
  const end = names.findLast((name) => name !== "")?.slice(-longestEnd) ?? "";
  const keys = [
    ...names.map((name) => `/${name}`),
    ...Array.from({ length: end.length + 1 }, (_, at) => end.slice(at)),
  ];
  const near = keys.flatMap((key) => globs.get(key) ?? []);
  return [...new Set(near)].toSorted(bySpecificity);
}

/** A word is not taken for a file because some pattern has it: it must look like the name of one. */
function plainNamesOf({ forms, written }: Glob): readonly string[] {
  const names = forms.map((form) => form.at(-1) ?? "").filter((name) => !/[*?.]/.test(name));
  return /[A-Z]/.test(written) ? names : names.filter((name) => name.endsWith("file"));
}

/** What a link has against the many that a hostile shelf could make it name: the strongest so many. */
const mostNamed = 50;
const longestWhy = 300;

/** One reason that a link has seen, before it is known whether it is the strongest of its entry. */
export interface Reason {
  readonly entry: ShelfEntry;
  readonly confidence: number;
  readonly why: string;
}

/** The strongest reason of each entry that may be chosen; equals by trust, so that a cut is no matter of order. */
export function strongest(reasons: Iterable<Reason>, asked: Pick<Asked, "allows">): readonly Evidence[] {
  const best = new Map<EntryId, Reason>();
  for (const reason of reasons) {
    const known = best.get(reason.entry.id);
    if (known !== undefined && known.confidence >= reason.confidence) continue;
    if (known !== undefined || asked.allows(reason.entry.id)) best.set(reason.entry.id, reason);
  }
  const order = [...best.values()].toSorted((a, b) => b.confidence - a.confidence || byTrust(a.entry, b.entry));
  return order
    .slice(0, mostNamed)
    .map(({ entry, confidence, why }) => ({ entry: entry.id, confidence, why: safeLine(why, longestWhy) }));
}

/** What a skill declares to be called by. */
interface Heard {
  readonly entry: ShelfEntry;
  readonly declared: Declared;
}

/** RT-2: the skills that are trusted enough for what they declare to be more than words of their text. */
export const heardIn = madeOnce(function* (shelf: Shelf): Generator<void, readonly Heard[]> {
  const heard: Heard[] = [];
  yield* inSteps(shelf.entries.values(), (entry) => {
    // Of the others it is not even read.
    const declared = trusts.indexOf(entry.trust) >= trusts.indexOf("verified") ? shelf.declaredBy(entry) : undefined;
    if (declared !== undefined && declared.aliases.length + declared.triggers.length + declared.paths.length > 0)
      heard.push({ entry, declared });
  });
  return heard;
});
