import { join, relative } from "node:path/posix";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { FolderEntry } from "../../core/world.ts";
import type { Tool } from "../tool.ts";
import { wordOnReading } from "./protected-paths.ts";
import { readText, type Workspace, findPlace, judgedPath, pathFrom, type Place } from "./workspace-file.ts";
import { countOf, objectSchema } from "./inputs.ts";

const usualLines = 2000;
const mostLines = 20_000;
/** A little below what an answer may have (256 KiB): the note on what was cut must not be cut itself. */
const mostBytes = 254 * 1024;
const longestLine = 64 * 1024;

/** AG-7: a text file with the numbers of its lines. */
export function readTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "read",
    description:
      "Reads a text file of the workspace. Each line comes with its number and a tab before it, which are no part of the file.",
    inputSchema: objectSchema(
      {
        path: { type: "string", minLength: 1, description: "From the root of the workspace." },
        from: { type: "integer", minimum: 1, description: "The first line to show; 1 without it." },
        lines: { type: "integer", minimum: 1, maximum: mostLines, description: `${usualLines} without it.` },
      },
      ["path"],
    ),
    subject: (input) => ({ paths: [judgedPath(root, input)] }),
    policy: wordOnReading(workspace),
    run: async (input) => {
      const from = countOf(input, "from", { usual: 1, most: Number.MAX_SAFE_INTEGER });
      const most = countOf(input, "lines", { usual: usualLines, most: mostLines });
      const place = await findPlace(workspace, pathFrom(root, input));
      return numbered(place.path, await readText(workspace, place), from, most);
    },
  };
}

function numbered(path: string, text: string, from: number, most: number): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (from > lines.length)
    throw new AppError("usage.invalid", `${safeLine(path, 240)} has ${lines.length} lines; none is number ${from}`);
  const rows: string[] = [];
  const notes: string[] = [];
  let [bytes, next] = [0, from];
  for (const line of lines.slice(from - 1, from - 1 + most)) {
    const row = `${next}\t${line.slice(0, longestLine).toWellFormed()}`;
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > mostBytes) break;
    rows.push(row);
    if (line.length > longestLine && notes.length < 3)
      notes.push(`[line ${next} is cut: ${longestLine} of its ${line.length} characters are shown]`);
    next++;
  }
  if (next <= lines.length)
    notes.push(`[lines ${from} to ${next - 1} of ${lines.length} are shown; go on with "from": ${next}]`);
  if (text.includes("\r\n")) notes.push("[lines of this file end with CRLF]");
  return [...rows, ...notes].join("\n");
}

const mostEntries = 1000;
const deepest = 16;

/** Folders that hold far more than anybody wants to see, unless they ask for them by name. */
export const unshownFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** AG-7: the names in a folder. Links are said to be some, and never followed. */
export function listTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "list",
    description:
      "Lists a folder of the workspace, folders with a / behind their names. With depth also what is in the folders below.",
    inputSchema: objectSchema({
      path: { type: "string", description: "From the root of the workspace, which is listed without it." },
      depth: { type: "integer", minimum: 1, maximum: deepest, description: "1 without it." },
    }),
    subject: (input) => ({ paths: [judgedPath(root, input, ".")] }),
    policy: wordOnReading(workspace),
    run: async (input, { signal }) => {
      const depth = countOf(input, "depth", { usual: 1, most: deepest });
      const place = await findPlace(workspace, pathFrom(root, input, "."));
      demandFolder(place);
      return listed(workspace, place, depth, signal);
    },
  };
}

function demandFolder({ path, kind }: Place): void {
  const shown = safeLine(path, 240);
  if (kind === "nothing") throw new AppError("path.missing", `there is no ${shown} in the workspace`);
  if (kind !== "folder") throw new AppError("path.wrong-kind", `${shown} is no folder; read shows what is in a file`);
}

/** Level by level: when there is too much, what is missing is what lies deepest. */
async function listed(workspace: Workspace, place: Place, depth: number, signal: AbortSignal): Promise<string> {
  const rows: string[] = [];
  const notes: string[] = [];
  let level = [place.path];
  for (let left = depth; left > 0 && level.length > 0; left--) {
    const below: string[] = [];
    for (const folder of level) {
      signal.throwIfAborted();
      if (rows.length === mostEntries) return [...rows, ...notes, cutNote].join("\n");
      const { entries, complete } = await listOne(workspace, folder, mostEntries - rows.length, notes);
      for (const entry of entries) {
        const path = join(folder, entry.name);
        rows.push(await rowOf(workspace, path, entry));
        if (entry.kind === "folder" && isShown(workspace, path, entry)) below.push(path);
      }
      if (!complete) return [...rows, ...notes, cutNote].join("\n");
    }
    level = below;
  }
  if (rows.length === 0 && notes.length === 0) return "[the folder is empty]";
  return [...rows, ...notes].join("\n");
}

/** Names are as the disk has them, so that a real path is known by its letters. */
function isShown({ root, kept }: Workspace, path: string, { name }: FolderEntry): boolean {
  return !unshownFolders.has(name) && !kept.includes(join(root, path));
}

const cutNote = `[there is more: ${mostEntries} names are shown; list a folder below, or with less depth]`;

/** One folder that cannot be opened does not hide the others. */
async function listOne({ root, files }: Workspace, folder: string, most: number, notes: string[]) {
  try {
    return await files.list(join(root, folder), most);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`[${safeLine(folder, 240)}/ could not be listed: ${error.code}]`);
    return { entries: [], complete: true };
  }
}

async function rowOf(workspace: Workspace, path: string, entry: FolderEntry): Promise<string> {
  const shown = safeLine(path, 240);
  switch (entry.kind) {
    case "file":
      return shown;
    case "folder":
      return isShown(workspace, path, entry) ? `${shown}/` : `${shown}/ (what is in it is not shown)`;
    case "link":
      return `${shown} (${await linkKind(workspace, path)})`;
    case "special":
      return `${shown} (neither file nor folder)`;
    case "unnameable":
      return `${shown} (a name that is not UTF-8)`;
  }
}

/** Where a link leads is said only of what lies inside. */
async function linkKind({ root, files }: Workspace, path: string): Promise<string> {
  const target = await files.resolve(join(root, path)).catch(() => undefined);
  if (target === undefined) return "a link that leads nowhere";
  const inside = relative(root, target);
  if (inside === ".." || inside.startsWith("../")) return "a link that leads out of the workspace";
  return `a link to ${safeLine(inside || ".", 240)}`;
}
