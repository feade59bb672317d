import { join } from "node:path/posix";
import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { FolderEntry } from "../../../base/world.ts";
import { unshownFolders } from "./list.ts";
import { textIn, type Workspace } from "./workspace-file.ts";
import type { Place } from "./workspace-path.ts";

/** What is looked for, and in which files. */
export interface Sought {
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
const mostFileBytes = 1024 * 1024;
const mostMatches = 200;

/** Looks into a file, or into all that is in a folder. Links are never followed. What was not looked at is said. */
export async function searchFiles(
  workspace: Workspace,
  place: Place,
  sought: Sought,
  signal: AbortSignal,
): Promise<string> {
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
        if (this.#isKept(path)) this.#skip("what is Skillward's own");
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

  /** Names are as the disk has them, so that a real path is known by its letters. */
  #isKept(path: string): boolean {
    const { root, kept } = this.#workspace;
    return kept.includes(join(root, path));
  }

  /** Which is missing where a folder has too much is not known, so that it is said and not guessed. */
  async #list(folder: string): Promise<readonly FolderEntry[]> {
    const { root, files } = this.#workspace;
    const listing = await files.list(join(root, folder), mostFiles).catch(failed);
    if (listing === undefined) this.#skip("folders that cannot be opened");
    if (listing?.complete === false) this.#skip(`names beyond ${mostFiles} in one folder`);
    return listing?.entries ?? [];
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    const { root, files } = this.#workspace;
    const bytes = await files.read(join(root, path), mostFileBytes).catch(failed);
    if (bytes instanceof Uint8Array) return bytes;
    this.#skip(bytes === undefined ? "files that cannot be read" : `files over ${mostFileBytes} bytes`);
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

/** What the disk refuses is skipped, and counted. */
function failed(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
  return undefined;
}

const longestExcerpt = 240;

/** So much of a long line that what was found is in it. */
function excerpt(line: string, end: number): string {
  const from = line.length <= longestExcerpt ? 0 : Math.max(0, end - longestExcerpt / 2);
  const part = line.slice(from, from + 2 * longestExcerpt).toWellFormed();
  return safeLine(from === 0 ? part : `…${part}`, longestExcerpt);
}
