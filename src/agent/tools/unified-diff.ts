import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";

/** What a patch does to one file. */
export interface FilePatch {
  /** As the patch names it, without `a/` or `b/`. */
  readonly path: string;
  readonly change: "create" | "change" | "delete";
  readonly hunks: readonly Hunk[];
}

/** Lines that stand in a file, and those that shall stand there instead, each with its line break. */
export interface Hunk {
  /** Where it begins in the patch. */
  readonly line: number;
  /** Where it says that the old lines begin, from 1. */
  readonly start: number;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

const mostFiles = 100;
const mostHunks = 1000;

/** Reads a unified diff. What is no part of one is refused: nothing of a patch is passed over. */
export function parsePatch(text: string): readonly FilePatch[] {
  const reader = new PatchReader(text);
  const patches = reader.files();
  if (patches.length === 0)
    throw new AppError("usage.invalid", "the patch is empty; give a unified diff with ---, +++ and @@ lines");
  return patches;
}

const harmless =
  /^(?:index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: \d{6})?|new file mode 100644|deleted file mode \d{6})?\r?$/;
const undone = /^(?:rename|copy|similarity|dissimilarity|old mode|new mode|new file mode|Binary files|GIT binary) ?/;

class PatchReader {
  readonly #lines: readonly string[];
  #at = 0;
  #hunks = 0;

  constructor(text: string) {
    const lines = text.split("\n");
    this.#lines = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  }

  files(): FilePatch[] {
    const patches: FilePatch[] = [];
    // Git announces each file: one without lines of its own would otherwise be lost.
    let isAnnounced = false;
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at] ?? "";
      if (line.startsWith("--- ")) {
        if (patches.push(this.#file()) > mostFiles) throw this.#fault(`there are more than ${mostFiles} files`);
        isAnnounced = false;
      } else if (line.startsWith("diff --git ")) {
        if (isAnnounced) throw this.#fault("the file before it has no lines that change");
        isAnnounced = true;
        this.#at++;
      } else if (harmless.test(line)) this.#at++;
      else if (undone.test(line))
        throw this.#fault("a patch changes lines here; for names, modes and binary files use shell");
      else throw this.#fault(`it is no part of a unified diff: ${safeLine(line)}`);
    }
    if (isAnnounced) throw this.#fault("the last file has no lines that change");
    return patches;
  }

  #file(): FilePatch {
    const old = this.#name("--- ");
    const by = this.#name("+++ ");
    const { path, change } = this.#namesOf(old, by);
    const hunks: Hunk[] = [];
    while (this.#lines[this.#at]?.startsWith("@@") === true) {
      hunks.push(this.#hunk());
      if (++this.#hunks > mostHunks) throw this.#fault(`there are more than ${mostHunks} hunks`);
    }
    if (hunks.length === 0) throw this.#fault(`a line with @@ is missing for ${safeLine(path, 240)}`);
    return { path, change, hunks };
  }

  /** Null for `/dev/null`. Behind a tab stands a time. */
  #name(mark: string): string | null {
    const line = this.#lines[this.#at] ?? "";
    const name = line.startsWith(mark) ? (line.slice(mark.length).split("\t", 1)[0] ?? "").replace(/\r$/, "") : "";
    if (name === "") throw this.#fault(`a line with ${mark}and a path is missing`);
    if (name.startsWith('"')) throw this.#fault("a path in quotes is not read; use write or replace for this file");
    this.#at++;
    return name === "/dev/null" ? null : name;
  }

  #namesOf(old: string | null, by: string | null): Pick<FilePatch, "path" | "change"> {
    const hasPrefixes = (old ?? "a/").startsWith("a/") && (by ?? "b/").startsWith("b/");
    const [from, to] = [old, by].map((name) => (hasPrefixes && name !== null ? name.slice(2) : name));
    const path = to ?? from ?? null;
    if (path === null || path === "") throw this.#fault("neither side names a file");
    if (typeof from === "string" && typeof to === "string" && from !== to)
      throw this.#fault("a patch gives no file another name here; use shell for that");
    return { path, change: old === null ? "create" : by === null ? "delete" : "change" };
  }

  #hunk(): Hunk {
    const line = this.#at + 1;
    const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(this.#lines[this.#at] ?? "");
    if (header === null) throw this.#fault("a hunk begins with @@ -line,count +line,count @@");
    const [, start = "", oldCount = "1", newCount = "1"] = header;
    const hunk = { line, start: Number(start), old: new Array<string>(), new: new Array<string>() };
    this.#at++;
    while (hunk.old.length < Number(oldCount) || hunk.new.length < Number(newCount)) this.#line(hunk);
    if (this.#lines[this.#at]?.startsWith("\\") === true) this.#line(hunk);
    const isTooLong = /^[ +]|^-(?!-- )/.test(this.#lines[this.#at] ?? "");
    if (isTooLong || hunk.old.length > Number(oldCount) || hunk.new.length > Number(newCount))
      throw this.#fault(
        `the hunk does not have the ${oldCount} old and ${newCount} new lines that it says; count again`,
      );
    return hunk;
  }

  #line(hunk: { readonly old: string[]; readonly new: string[] }): void {
    const line = this.#lines[this.#at];
    if (line === undefined) throw this.#fault("the patch ends within a hunk; count its lines again");
    const mark = line.charAt(0);
    // Many take away blanks at the end of a line: an empty line is one that stays.
    const stays = mark === " " || line === "" || line === "\r";
    if (stays) for (const side of [hunk.old, hunk.new]) this.#push(side, line.replace(/^ /, ""));
    else if (mark === "-") this.#push(hunk.old, line.slice(1));
    else if (mark === "+") this.#push(hunk.new, line.slice(1));
    else if (mark === "\\") this.#endWithoutBreak(hunk);
    else throw this.#fault(`a line of a hunk begins with a blank, + or -: ${safeLine(line)}`);
    this.#at++;
  }

  #push(side: string[], text: string): void {
    if (side.at(-1)?.endsWith("\n") === false) throw this.#fault("nothing comes behind a line without a line break");
    side.push(`${text}\n`);
  }

  /** `\ No newline at end of file` is about the line before it. */
  #endWithoutBreak(hunk: { readonly old: string[]; readonly new: string[] }): void {
    const mark = this.#lines[this.#at - 1]?.charAt(0) ?? "";
    const sides = mark === "-" ? [hunk.old] : mark === "+" ? [hunk.new] : [hunk.old, hunk.new];
    for (const side of sides) {
      const last = side.pop();
      if (last?.endsWith("\n") !== true) throw this.#fault("there is no line that it could be about");
      side.push(last.slice(0, -1));
    }
  }

  #fault(why: string): AppError {
    return new AppError("usage.invalid", `the patch cannot be read, line ${this.#at + 1}: ${why}`);
  }
}

/** Lines that may still be compared: many hunks against many lines that are all alike would take for ever (T26). */
export interface Comparisons {
  left: number;
}

/**
 * A text with its hunks applied. Each must fit line by line, where it says or else at the one other place behind the hunk
 * before it: where there are two, it is not ours to guess.
 */
export function applyHunks(path: string, text: string, hunks: readonly Hunk[], comparisons: Comparisons): string {
  const lines = linesOf(text);
  const parts: string[] = [];
  let from = 0;
  for (const hunk of hunks) {
    const at = placeOf(path, lines, hunk, from, comparisons);
    const end = at + hunk.old.length;
    if (hunk.new.at(-1)?.endsWith("\n") === false && end < lines.length)
      throw unfit(path, hunk, "it takes the line break from a line that is not the last");
    parts.push(lines.slice(from, at).join(""), hunk.new.join(""));
    from = end;
  }
  return parts.join("") + lines.slice(from).join("");
}

/** Each with its line break. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => `${line}\n`);
  const last = lines.pop()?.slice(0, -1) ?? "";
  return last === "" ? lines : [...lines, last];
}

function placeOf(path: string, lines: readonly string[], hunk: Hunk, from: number, comparisons: Comparisons): number {
  const { old, start } = hunk;
  if (old.length === 0) {
    if (lines.length === 0) return 0;
    throw unfit(path, hunk, "it has no line of the file, so that its place cannot be told; add lines around it");
  }
  if (start > from && fitsAt(lines, old, start - 1, comparisons)) return start - 1;
  const places: number[] = [];
  for (let at = from; at + old.length <= lines.length && places.length < 2; at++)
    if (fitsAt(lines, old, at, comparisons)) places.push(at);
  const [place, other] = places;
  if (place === undefined) throw unfit(path, hunk, whyNowhere(lines, hunk, from));
  if (other === undefined) return place;
  throw unfit(path, hunk, `it fits at line ${place + 1} and at line ${other + 1}; add lines around it`);
}

function fitsAt(lines: readonly string[], old: readonly string[], at: number, comparisons: Comparisons): boolean {
  for (const [offset, line] of old.entries()) {
    if (--comparisons.left < 0)
      throw new AppError("usage.invalid", "the patch takes too long to place; correct its line numbers, or split it");
    if (lines[at + offset] !== line) return false;
  }
  return true;
}

/** What differs first, where the hunk says that it belongs. */
function whyNowhere(lines: readonly string[], { old, start }: Hunk, from: number): string {
  const none = "its lines do not stand in the file in this order";
  const differs = old.findIndex((line, offset) => lines[start - 1 + offset] !== line);
  const there = start > from ? lines[start - 1 + differs] : undefined;
  if (differs < 0 || there === undefined) return none;
  return `${none}: line ${start + differs} is ${JSON.stringify(there.slice(0, 80))}, and not ${JSON.stringify(old[differs]?.slice(0, 80))}`;
}

function unfit(path: string, { line }: Hunk, why: string): AppError {
  return new AppError(
    "usage.invalid",
    `nothing was changed: the hunk at line ${line} of the patch does not fit ${safeLine(path, 120)}: ${why}`,
  );
}
