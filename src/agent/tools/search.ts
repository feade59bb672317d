import { join } from "node:path/posix";
import { AppError, orNull } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { fitsFile, readPathPattern } from "../../scope/tools/paths.ts";
import type { FolderEntry } from "../../core/world.ts";
import type { Tool, ToolInput } from "../tool.ts";
import { objectSchema, optionalText } from "./inputs.ts";
import { type Effort, LinearPattern } from "./linear-pattern.ts";
import { unshownFolders } from "./read.ts";
import { compilePattern } from "./pattern-program.ts";
import { wordOnReading } from "./protected-paths.ts";
import { textIn, type Workspace, findPlace, judgedPath, pathFrom, type Place } from "./workspace-file.ts";

const longestText = 4096;
const longestGlob = 1024;
/** Some seconds, at the very worst. */
const mostEffort = 100_000_000;

/** AG-7: lines of files that hold a text, or that a regular expression fits. */
export function searchTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "search",
    description:
      "Searches the text files of the workspace line by line, for a text as it is or for a regular expression (without look-around and back references). Returns path:line: excerpt.",
    inputSchema: objectSchema({
      text: { type: "string", minLength: 1, description: "Found letter by letter." },
      pattern: { type: "string", minLength: 1, description: "A regular expression; instead of text." },
      path: { type: "string", description: "A folder or a file, from the root of the workspace; all without it." },
      glob: { type: "string", description: "Which files: *.ts for names, src/**/*.ts for paths from the root." },
    }),
    subject: (input) => ({ paths: [judgedPath(root, input, ".")] }),
    policy: wordOnReading(workspace),
    run: async (input, { signal }) => {
      const sought = { ...soughtIn(input), fitsPath: globIn(input) };
      const place = await findPlace(workspace, pathFrom(root, input, "."));
      return searchFiles(workspace, place, sought, signal);
    },
  };
}

function soughtIn(input: ToolInput): Omit<Sought, "fitsPath"> {
  const text = optionalText(input, "text", longestText);
  const pattern = optionalText(input, "pattern", longestText);
  if ((text === undefined) === (pattern === undefined))
    throw new AppError("usage.invalid", "give either text or pattern, and not both");
  if (text !== undefined) return soughtText(text);
  const program = compilePattern(pattern ?? "");
  if (typeof program === "string")
    throw new AppError("usage.invalid", `the pattern cannot be searched for: ${safeLine(program)}`);
  const linear = new LinearPattern(program);
  const effort: Effort = { left: mostEffort };
  return { mayBeIn: () => true, endIn: (line) => linear.find(line, effort), isSpent: () => effort.left < 0 };
}

function soughtText(text: string): Omit<Sought, "fitsPath"> {
  if (/[\r\n]/.test(text))
    throw new AppError("usage.invalid", "text has a line break, and lines are searched one by one");
  const endIn = (line: string) => {
    const at = line.indexOf(text);
    return at < 0 ? -1 : at + text.length;
  };
  return { mayBeIn: (whole) => whole.includes(text), endIn, isSpent: () => false };
}

/** A glob without a folder is about names, wherever they are. */
function globIn(input: ToolInput): Sought["fitsPath"] {
  const glob = optionalText(input, "glob", longestGlob);
  if (glob === undefined) return () => true;
  const segments = readPathPattern(glob.includes("/") ? glob : `**/${glob}`);
  if (typeof segments === "string") throw new AppError("usage.invalid", `the glob cannot be used: ${segments}`);
  return (path) => fitsFile(segments, path.split("/"));
}

/** What is looked for, and in which files. */
interface Sought {
  /** From the root of the workspace. */
  readonly fitsPath: (path: string) => boolean;
  /** False when no line of the text can have it. */
  readonly mayBeIn: (text: string) => boolean;
  /** Where in a line it ends; -1 when it is not there. */
  readonly endIn: (line: string) => number;
  /** Whether looking any further would take too long. */
  readonly isSpent: () => boolean;
}

const mostFiles = 20_000;
const mostFolders = 20_000;
const mostBytes = 64 * 1024 * 1024;
const mostOfFile = 1024 * 1024;
const mostMatches = 200;

/** Looks into a file, or into all that is in a folder. Links are never followed. What was not looked at is said. */
async function searchFiles(workspace: Workspace, place: Place, sought: Sought, signal: AbortSignal): Promise<string> {
  if (place.kind === "nothing")
    throw new AppError("path.missing", `there is no ${safeLine(place.path, 240)} in the workspace`);
  const search = new Search(workspace, sought);
  if (place.kind === "folder") await search.folders(place.path, signal);
  else await search.entry(place.path, { name: place.path, kind: place.kind });
  return search.report();
}

class Search {
  readonly #workspace: Workspace;
  readonly #sought: Sought;
  readonly #rows: string[] = [];
  readonly #skipped = new Map<string, number>();
  #files = 0;
  #bytes = 0;
  #stopped: string | null = null;

  constructor(workspace: Workspace, sought: Sought) {
    this.#workspace = workspace;
    this.#sought = sought;
  }

  async folders(first: string, signal: AbortSignal): Promise<void> {
    const waiting = [first];
    let count = 0;
    // Last in, first out: what lies together is searched together.
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (++count > mostFolders) {
        this.#stopped = `${mostFolders} folders were searched`;
        return;
      }
      const below: string[] = [];
      for (const entry of await this.#list(folder)) {
        signal.throwIfAborted();
        const path = join(folder, entry.name);
        // Names are as the disk has them, so that a real path is known by its letters.
        if (this.#workspace.kept.includes(join(this.#workspace.root, path))) this.#skip("what is Skillward's own");
        else if (entry.kind !== "folder") await this.entry(path, entry);
        else if (unshownFolders.has(entry.name)) this.#skip(`folders named ${entry.name}`);
        else below.push(path);
        if (this.#stopped !== null) return;
      }
      for (const path of below.toReversed()) waiting.push(path);
    }
  }

  async entry(path: string, { kind }: FolderEntry): Promise<void> {
    if (kind === "link") return this.#skip("links");
    if (kind !== "file") return this.#skip("what is no regular file");
    if (!this.#sought.fitsPath(path)) return;
    const bytes = await this.#read(path);
    if (bytes === undefined) return;
    this.#bytes += bytes.length;
    if (this.#files === mostFiles || this.#bytes > mostBytes) {
      this.#stopped = `${counted(this.#files, "file")} and ${mostBytes} bytes at the most were searched`;
      return;
    }
    this.#files++;
    const text = textIn(bytes);
    if (text === undefined) this.#skip("the content of files that are binary, or not UTF-8");
    else if (this.#sought.mayBeIn(text)) this.#lines(path, text);
  }

  report(): string {
    const skipped = Array.from(this.#skipped, ([what, count]) => `${what} (${count})`);
    return [
      ...this.#rows,
      `[${this.#rows.length === 0 ? "no line" : counted(this.#rows.length, "line")} found in ${counted(this.#files, "file")}]`,
      ...(skipped.length === 0 ? [] : [`[not looked at: ${skipped.join(", ")}]`]),
      ...(this.#stopped === null
        ? []
        : [`[there may be more: ended after ${this.#stopped}; narrow it with path or glob]`]),
    ].join("\n");
  }

  /** Which is missing where a folder has too much is not known, so that it is said and not guessed. */
  async #list(folder: string): Promise<readonly FolderEntry[]> {
    const { root, files } = this.#workspace;
    const listing = await files.list(join(root, folder), mostFiles).catch(orNull);
    if (listing === null) this.#skip("folders that cannot be opened");
    if (listing?.complete === false) this.#skip(`names beyond ${mostFiles} in one folder`);
    return listing?.entries ?? [];
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    const { root, files } = this.#workspace;
    const bytes = await files.read(join(root, path), mostOfFile).catch(orNull);
    if (bytes instanceof Uint8Array) return bytes;
    this.#skip(bytes === null ? "files that cannot be read" : `files over ${mostOfFile} bytes`);
    return undefined;
  }

  #lines(path: string, text: string): void {
    let number = 1;
    for (let start = 0; start < text.length; number++) {
      const found = text.indexOf("\n", start);
      const end = found < 0 ? text.length : found;
      const line = text.slice(start, end > start && text.charAt(end - 1) === "\r" ? end - 1 : end);
      const at = this.#sought.endIn(line);
      if (this.#sought.isSpent()) this.#stopped = "too much work for this pattern";
      else if (at >= 0) this.#rows.push(`${safeLine(path, 240)}:${number}: ${excerpt(line, at)}`);
      if (this.#rows.length === mostMatches) this.#stopped ??= `${mostMatches} lines were found`;
      if (this.#stopped !== null) return;
      start = end + 1;
    }
  }

  #skip(what: string): void {
    this.#skipped.set(what, (this.#skipped.get(what) ?? 0) + 1);
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

const longestExcerpt = 240;

/** So much of a long line that what was found is in it. */
function excerpt(line: string, end: number): string {
  const from = line.length <= longestExcerpt ? 0 : Math.max(0, end - longestExcerpt / 2);
  const part = line.slice(from, from + 2 * longestExcerpt).toWellFormed();
  return safeLine(from === 0 ? part : `…${part}`, longestExcerpt);
}
