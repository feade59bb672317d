import { hasPrefix } from "./calls.ts";
import { lastRefused } from "./command-refusals.ts";
import { readCommand } from "./command.ts";
import { foldPattern, mayMeet, readPathPattern } from "./paths.ts";
import { canonicalTools, type ForbiddenTool, type ToolArgument, type ToolPattern } from "./tools.ts";

const longestEntry = 256;
const fileTools: ReadonlySet<string> = new Set(["read", "list", "search", "write", "replace", "patch"]);

/** A name and what stands in parentheses behind it, which may hold no further ones. */
const nameAndArgument = /^([^()]{1,128})\(([^()]{1,256})\)$/;

/** An entry that allows or grants; null when its form is not known: it matches nothing (SC-7). */
export function parsePattern(text: string): ToolPattern | null {
  const read = readPattern(text);
  return typeof read === "string" ? null : read;
}

/** Why the form of an entry that allows is not known; empty when it is. */
export function whyUnknown(text: string): string {
  const read = readPattern(text);
  return typeof read === "string" ? read : "";
}

/** Whether an entry names an MCP server. One that allows lets through only a tool of exactly that name, if there is one. */
export function isServerAlone(text: string): boolean {
  return canonicalTools(text).length > 0 && readServer(text) !== null;
}

function readPattern(text: string): ToolPattern | string {
  if (isTooLong(text)) return `an entry has at most ${longestEntry} bytes`;
  const plain = canonicalTools(text);
  if (plain.length > 0) return { text, tools: plain, argument: null };
  const [, name, written = ""] = nameAndArgument.exec(text) ?? [];
  if (name === undefined) return whyNoName(text);
  const tools = canonicalTools(name);
  if (tools.length === 0) return "what stands before the parenthesis is no name of a tool";
  const argument = parseArgument(tools, written);
  return typeof argument === "string" ? argument : { text, tools, argument };
}

function whyNoName(text: string): string {
  if (serverTools.test(text)) return "the tools of a server are named one by one; a star only forbids";
  return /[()]/.test(text)
    ? "behind a name stands one argument in parentheses, which has no others in it, and nothing behind it"
    : "this is no name of a tool";
}

function parseArgument(tools: readonly string[], written: string): ToolArgument | string {
  if (tools.includes("shell")) return parseCommand(written);
  if (!isOfFiles(tools)) return "only the shell and the tools of files are known with an argument";
  const segments = readPathPattern(written);
  return typeof segments === "string" ? segments : { kind: "path", segments };
}

/**
 * `git:*` and `git *` are open, `npm run test` is not. `*` alone is any one simple command, and that may be `sh -c …`:
 * it keeps operators and expansions out, not programs.
 */
function parseCommand(written: string): ToolArgument | string {
  if (written === "*") return { kind: "command", words: [], isOpen: true };
  const isOpen = written.endsWith(":*") || written.endsWith(" *");
  const head = isOpen ? written.slice(0, -2) : written;
  if (head.includes("*")) return "in a command `*` stands only at its end, behind a blank or `:`";
  if (head !== head.trim()) return "the command has blanks around it";
  const words = readCommand(head);
  return typeof words === "string" ? words : { kind: "command", words, isOpen };
}

/** An entry that forbids. Never fails: the less of it can be read, the more it forbids. */
export function parseForbidden(text: string): ForbiddenTool {
  return { text, reach: readReach(text) };
}

function readReach(text: string): ForbiddenTool["reach"] {
  const open = text.indexOf("(");
  const name = open < 0 ? text : text.slice(0, open);
  if (isTooLong(text) || (open >= 0 && !isOneArgument(text, open))) return { kind: "everything" };
  const prefix = readServer(name);
  if (prefix !== null) return { kind: "prefix", prefix };
  const tools = canonicalTools(name);
  if (tools.length === 0) return { kind: "everything" };
  // `src/` is `src`: with a folder goes what is in it.
  const segments = open < 0 || !isOfFiles(tools) ? "" : readPathPattern(text.slice(open + 1, -1).replace(/\/$/, ""));
  return typeof segments === "string"
    ? { kind: "tools", tools }
    : { kind: "paths", tools, segments: foldPattern(segments) };
}

/** One argument up to the end: behind it there could be a second entry, which would be lost. */
function isOneArgument(text: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at === text.length - 1;
  }
  return false;
}

/** Several tools of an MCP server: names up to a star. */
const serverTools = /^(mcp__[A-Za-z0-9_./-]{0,120})\*$/;
const ofServer = "mcp__";

/** What the names of a server's tools begin with: those up to a star, or all when no tool is named behind the server. */
function readServer(name: string): string | null {
  const upToStar = serverTools.exec(name)?.[1];
  if (upToStar !== undefined) return upToStar;
  if (!name.startsWith(ofServer) || canonicalTools(name).length === 0) return null;
  const server = name.slice(ofServer.length).replace(/_{1,128}$/, "");
  if (server === "") return ofServer;
  return server.includes("__") ? null : `${ofServer}${server}__`;
}

function isOfFiles(tools: readonly string[]): boolean {
  return tools.length > 0 && tools.every((tool) => fileTools.has(tool));
}

function isTooLong(text: string): boolean {
  return text.length > longestEntry || Buffer.byteLength(text) > longestEntry;
}

/** Whether every call that fits the narrow entry fits the wide one. False when in doubt. */
export function covers(wide: ToolPattern, narrow: ToolPattern): boolean {
  if (!narrow.tools.every((tool) => wide.tools.includes(tool))) return false;
  return wide.argument === null || (narrow.argument !== null && coversArgument(wide.argument, narrow.argument));
}

function coversArgument(wide: ToolArgument, narrow: ToolArgument): boolean {
  if (wide.kind === "command") {
    if (narrow.kind !== "command" || !startsWith(narrow.words, wide.words)) return false;
    if (narrow.words.length === wide.words.length) return wide.isOpen || !narrow.isOpen;
    // What is refused beyond its own words the wide one does not let through.
    return wide.isOpen && (lastRefused(narrow.words)?.at ?? -1) < wide.words.length;
  }
  return narrow.kind === "path" && coversPath(wide.segments, narrow.segments);
}

/** The same pattern, or `**` in a folder that the narrow one starts with. */
function coversPath(wide: readonly string[], narrow: readonly string[]): boolean {
  if (wide.length === narrow.length && startsWith(narrow, wide)) return true;
  return wide.at(-1) === "**" && narrow.length >= wide.length && startsWith(narrow, wide.slice(0, -1));
}

function startsWith(all: readonly string[], head: readonly string[]): boolean {
  return all.length >= head.length && head.every((one, at) => one === all[at]);
}

/** Whether some call that fits the entry may be forbidden. True when in doubt. */
export function overlaps({ reach }: ForbiddenTool, pattern: ToolPattern): boolean {
  switch (reach.kind) {
    case "everything":
      return true;
    case "prefix":
      return pattern.tools.some((tool) => hasPrefix(tool, reach.prefix));
    case "tools":
      return pattern.tools.some((tool) => reach.tools.includes(tool));
    case "paths":
      if (!pattern.tools.some((tool) => reach.tools.includes(tool))) return false;
      return pattern.argument?.kind !== "path" || mayMeet(reach.segments, pattern.argument.segments);
  }
}
