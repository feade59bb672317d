import { readCommand } from "./command.ts";
import { foldPattern, readPathPattern } from "./paths.ts";
import { canonicalTools, type ForbiddenTool, type ToolArgument, type ToolPattern } from "./tools.ts";

const longestEntry = 256;
const fileTools: ReadonlySet<string> = new Set(["read", "list", "search", "write", "replace", "patch"]);

/** A name and what stands in parentheses behind it, which may hold no further ones. */
const nameAndArgument = /^([^()]{1,128})\(([^()]{1,256})\)$/;

/** An entry that allows or grants; null when its form is not known: it matches nothing (SC-7). */
export function parsePattern(text: string): ToolPattern | null {
  if (isTooLong(text)) return null;
  const plain = canonicalTools(text);
  if (plain.length > 0) return { text, tools: plain, argument: null };
  const [, name = "", written = ""] = nameAndArgument.exec(text) ?? [];
  const tools = canonicalTools(name);
  const argument = parseArgument(tools, written);
  return argument === null ? null : { text, tools, argument };
}

function parseArgument(tools: readonly string[], written: string): ToolArgument | null {
  if (tools.includes("shell")) return parseCommand(written);
  if (!isOfFiles(tools)) return null;
  const segments = readPathPattern(written);
  return segments === null ? null : { kind: "path", segments };
}

/**
 * `git:*` and `git *` are open, `npm run test` is not. `*` alone is any one simple command, and that may be `sh -c …`:
 * it keeps operators and expansions out, not programs.
 */
function parseCommand(written: string): ToolArgument | null {
  if (written === "*") return { kind: "command", words: [], isOpen: true };
  const isOpen = written.endsWith(":*") || written.endsWith(" *");
  const head = isOpen ? written.slice(0, -2) : written;
  if (head.includes("*") || head !== head.trim()) return null;
  const words = readCommand(head);
  return typeof words === "string" ? null : { kind: "command", words, isOpen };
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
  const segments = open < 0 || !isOfFiles(tools) ? null : readPathPattern(text.slice(open + 1, -1).replace(/\/$/, ""));
  return segments === null ? { kind: "tools", tools } : { kind: "paths", tools, segments: foldPattern(segments) };
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

/** Several tools of an MCP server: names up to a star, or the server alone. */
const serverTools = /^(mcp__[A-Za-z0-9_./-]{0,120})\*$/;
const serverAlone = /^mcp__[A-Za-z0-9./-]{1,60}(?:_[A-Za-z0-9./-]{1,60}){0,8}$/;

function readServer(name: string): string | null {
  return serverTools.exec(name)?.[1] ?? (serverAlone.test(name) ? `${name}__` : null);
}

function isOfFiles(tools: readonly string[]): boolean {
  return tools.length > 0 && tools.every((tool) => fileTools.has(tool));
}

function isTooLong(text: string): boolean {
  return text.length > longestEntry || Buffer.byteLength(text) > longestEntry;
}
