import { lastRefused } from "./command-refusals.ts";
import { readCommand } from "./command.ts";
import { fitsFile, fitsFolder, reachesSome, readPaths } from "./paths.ts";
import { canonicalTools, type ForbiddenTool, type ReadCall, type ToolCall, type ToolPattern } from "./tools.ts";

/** These show what is in a folder: a call on it is one on all that it holds. */
const folderTools: ReadonlySet<string> = new Set(["list", "search"]);

/** Reads a call once, for all entries that it is held against. */
export function readCall(call: ToolCall): ReadCall {
  const words = call.command === undefined ? null : readCommand(call.command);
  return {
    name: call.tool,
    tools: canonicalTools(call.tool),
    words,
    paths: call.paths === undefined ? null : readPaths(call.paths),
    refused: words === null || typeof words === "string" ? null : lastRefused(words),
  };
}

/** Whether an entry lets a call through. What an entry says of arguments, the call must show (SC-7). */
export function fits(pattern: ToolPattern, call: ReadCall): boolean {
  if (call.tools.length === 0 || !call.tools.every((tool) => pattern.tools.includes(tool))) return false;
  const { argument } = pattern;
  if (argument === null) return true;
  return argument.kind === "command"
    ? fitsCommand(argument, call)
    : arePathsKnown(call.paths) && call.paths.every((path) => fitsPath(argument.segments, path, call));
}

/** What is refused must be among the words of the entry itself: its author wrote it there, and a person saw it. */
function fitsCommand(
  wanted: { readonly words: readonly string[]; readonly isOpen: boolean },
  { words, refused }: ReadCall,
): boolean {
  if (words === null || typeof words === "string") return false;
  if (refused !== null && refused.at >= wanted.words.length) return false;
  if (wanted.isOpen ? words.length < wanted.words.length : words.length !== wanted.words.length) return false;
  return wanted.words.every((word, at) => word === words[at]);
}

function fitsPath(segments: readonly string[], path: readonly string[], call: ReadCall): boolean {
  return isOnFolders(call) ? fitsFolder(segments, path) : fitsFile(segments, path);
}

/** Whether an entry forbids a call. What is not known of the call speaks against it. */
export function forbids({ reach }: ForbiddenTool, call: ReadCall): boolean {
  if (call.tools.length === 0) return true;
  switch (reach.kind) {
    case "everything":
      return true;
    case "prefix":
      return call.tools.some((tool) => hasPrefix(tool, reach.prefix));
    case "tools":
      return sharesTool(reach.tools, call.tools);
    case "paths":
      return sharesTool(reach.tools, call.tools) && touches(reach.segments, call);
  }
}

/** `mcp__server__` is also said of a tool that is called like its server. */
export function hasPrefix(tool: string, prefix: string): boolean {
  return tool.startsWith(prefix) || `${tool}__` === prefix;
}

function touches(segments: readonly string[], call: ReadCall): boolean {
  if (!arePathsKnown(call.paths)) return true;
  return reachesSome(segments, call.paths, isOnFolders(call));
}

function arePathsKnown(paths: ReadCall["paths"]): paths is readonly (readonly string[])[] {
  return paths !== null && typeof paths !== "string" && paths.length > 0;
}

function isOnFolders(call: ReadCall): boolean {
  return call.tools.some((tool) => folderTools.has(tool));
}

function sharesTool(some: readonly string[], others: readonly string[]): boolean {
  return some.some((tool) => others.includes(tool));
}
