import { skillFile } from "./bundle.ts";

/**
 * Whether everything the skill speaks of is in its text (SK-10). It says only that something is not executed or
 * opened by itself; it is never a safety signal.
 */
export interface Support {
  readonly level: "full" | "partial";
  readonly notes: readonly string[];
}

export function supportOf(body: string, declaresTools: boolean, paths: ReadonlySet<string>): Support {
  const notes = declaresTools ? ["declares allowed-tools, which are pre-approvals and not run by themselves"] : [];
  const referred = [...referredFiles(body, paths)];
  notes.push(...referred.slice(0, mostNotes).map((path) => `refers to ${path}`));
  if (referred.length > mostNotes) notes.push("refers to more files than are listed here");
  return { level: notes.length === 0 ? "full" : "partial", notes };
}

const mostNotes = 32;
const longestPath = 256;
/** What can stand around a path in Markdown and prose. One pass, no backtracking (T26). */
const token = /[^\s"'`()[\]<>{},;|*]+/g;
const bundled = /^(?:scripts|references|assets)\/[^/]/;
const script = /\.(?:py|sh|js|rb)$/;

/** Where a text refers to a bundled file. */
export interface Reference {
  /** As it is written, without a leading `./`. */
  readonly path: string;
  /** Of the text; a stop behind it that ends a sentence is not part of it. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

function referredFiles(body: string, paths: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const { path } of referencesIn(body, paths)) {
    found.add(path);
    if (found.size > mostNotes) break;
  }
  return found;
}

/** The bundled files a text refers to, in order: by the three known folders, by a relative path to a script, or by name. */
export function* referencesIn(body: string, paths: ReadonlySet<string>): Generator<Reference> {
  for (const { word, start, line } of wordsWorthALook(body, paths)) {
    if (word.length > longestPath) continue;
    const written = withoutStops(word);
    const path = written.startsWith("./") ? written.slice(2) : written;
    if (isReference(path, paths)) yield { path, start, end: start + written.length, line };
  }
}

/** Most lines are prose: only one with a slash can hold a path, save for the names of files beside SKILL.md. */
function* wordsWorthALook(
  body: string,
  paths: ReadonlySet<string>,
): Generator<{ readonly word: string; readonly start: number; readonly line: number }> {
  const beside = [...paths].filter((path) => path !== skillFile && !path.includes("/"));
  const everyLine = beside.some((path) => body.includes(path));
  let [start, line, slash] = [0, 1, body.indexOf("/")];
  while (start <= body.length) {
    const end = lineEnd(body, start);
    if (slash !== -1 && slash < start) slash = body.indexOf("/", start);
    if (everyLine || (slash !== -1 && slash < end))
      for (const { 0: word, index } of body.slice(start, end).matchAll(token))
        yield { word, start: start + index, line };
    start = end + 1;
    line++;
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

/** Without the stops that end a sentence. By hand: `/[.:!?]+$/` starts again at every stop of a long run (T26). */
function withoutStops(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

function isReference(path: string, paths: ReadonlySet<string>): boolean {
  if (bundled.test(path) || paths.has(path)) return path !== skillFile;
  // `Node.js` is a product, `https://x/y.js` and `/usr/x.sh` are not of this bundle.
  return script.test(path) && path.includes("/") && !path.startsWith("/") && !path.includes("://");
}
