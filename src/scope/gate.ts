import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { someOf } from "./lists.ts";
import { type ToolLimit, toolRules, type ToolRules, whose } from "./scope-index.ts";
import type { Scope, ScopeForbidden } from "./scope.ts";
import { fits, readCall } from "./tools/calls.ts";
import { mostPaths } from "./tools/paths.ts";
import { parsePattern } from "./tools/patterns.ts";
import type { ReadCall, ToolCall, ToolPattern } from "./tools/tools.ts";

/** What the host itself says to a call, before any scope. `ask-always`: no grant stands for a person here (AG-7). */
export type HostWord = "allow" | "ask" | "ask-always" | "deny";

export interface HostPolicy {
  /** The tools that exist, by the names they are called with. Every other one is denied. */
  readonly catalogue: ReadonlySet<string>;
  readonly word: (call: ToolCall, scope: Scope | null) => HostWord;
}

export type DenialCode = "TOOL_FORBIDDEN" | "TOOL_NOT_ALLOWED";

export type CallDecision =
  | {
      readonly verdict: "allow" | "ask";
      /** A command that a pattern let through is run as exactly this, without a shell; null: as the tool does. */
      readonly argv: readonly string[] | null;
      readonly why: string;
      /** Of an ask: no earlier yes stands for this one (AG-7). */
      readonly everyTime?: boolean;
    }
  | {
      readonly verdict: "deny";
      readonly code: DenialCode;
      readonly why: string;
      /** The ids of the skills that it fails at, of the first where several do; none when the host itself says no. */
      readonly by: readonly string[];
    };

export type Decide = (
  host: HostPolicy,
  scope: Scope | null,
  grants: readonly ToolPattern[],
  call: ToolCall,
) => CallDecision;

/** Fitting patterns that are remembered while one call is judged: mostly it is one that all groups have. */
const mostFound = 8;

/**
 * Whether a call may be made (SC-7): it must be one of the host's tools, by exactly its name; the host's own word comes
 * first, then the scope, which only ever takes away; a grant stands for the person who would be asked, and for no more.
 * Never throws: what cannot be judged is denied.
 */
export const decide: Decide = (host, scope, grants, call) => {
  try {
    const asked = copied(call);
    if (!host.catalogue.has(asked.tool)) return denied(`there is no tool ${shown(asked.tool)}`);
    const read = readCall(asked);
    if (read.tools.length === 0) return denied(`${shown(asked.tool)} is no name that a tool can have`);
    const word = host.word(asked, scope);
    if (!isPermissive(word)) return denied(`the host does not allow this call of ${shown(asked.tool)}`);
    const judged = scope === null ? unlimited : judge(scope, read);
    return judged.verdict === "deny" ? judged : answered(word, judged.isCommand, grants, read);
  } catch {
    return denied(
      `the call cannot be judged: something in it, or the host's own word on it, cannot be read, or it has more than ${mostPaths} paths`,
    );
  }
};

/** What is judged is what was read here, once: a getter gets no second chance. */
function copied(call: ToolCall): ToolCall {
  const { tool, command, paths }: { tool: unknown; command?: unknown; paths?: unknown } = call;
  if (typeof tool !== "string") throw new TypeError("no name");
  if (command !== undefined && typeof command !== "string") throw new TypeError("no command");
  return Object.freeze({ tool, command, paths: paths === undefined ? undefined : copiedPaths(paths) });
}

function copiedPaths(paths: unknown): readonly string[] {
  if (!Array.isArray(paths)) throw new TypeError("no paths");
  const list: readonly unknown[] = paths;
  const count = list.length;
  if (count > mostPaths) throw new TypeError("more paths than can be judged");
  const copies: string[] = [];
  // By number: the list's own iterator may be anything.
  for (let at = 0; at < count; at++) {
    const path = list[at];
    if (typeof path !== "string") throw new TypeError("no path");
    copies.push(path);
  }
  return Object.freeze(copies);
}

/** A word that is none of ours is a no. */
function isPermissive(word: HostWord): word is Exclude<HostWord, "deny"> {
  return word === "allow" || word === "ask" || word === "ask-always";
}

type Denial = Extract<CallDecision, { verdict: "deny" }>;

interface Passed {
  readonly verdict: "pass";
  /** Whether a command pattern let it through where nothing wider did: it is run as its words (SC-7). */
  readonly isCommand: boolean;
}

const unlimited: Passed = { verdict: "pass", isCommand: false };

/** A call of several tools, such as `edit`, passes when a call of each of them would. Forbidden goes before not allowed. */
function judge(scope: Scope, call: ReadCall): Denial | Passed {
  const parts = call.tools.map((tool) => ({
    rules: toolRules(scope, tool),
    call: call.tools.length === 1 ? call : { ...call, tools: [tool] },
  }));
  for (const part of parts) {
    const denial = forbidden(part.rules, part.call);
    if (denial !== undefined) return denial;
  }
  let isCommand = false;
  for (const part of parts) {
    const judged = judgeLimits(part.rules, part.call);
    if (judged.verdict === "deny") return judged;
    isCommand ||= judged.isCommand;
  }
  return { verdict: "pass", isCommand };
}

function forbidden({ banned, bannedBy, partly }: ToolRules, call: ReadCall): Denial | undefined {
  if (banned.length > 0) return forbiddenBy(banned, bannedBy, call);
  const fitting = partly.forbidding(call);
  return fitting.length > 0 ? forbiddenBy(fitting, whose(fitting), call) : undefined;
}

function forbiddenBy(entries: readonly ScopeForbidden[], by: readonly string[], { name }: ReadCall): Denial {
  const written = someOf(entries.map(({ text }) => text));
  const why = `${shown(name)} is forbidden here by ${someOf(by)} (${written})`;
  return { verdict: "deny", code: "TOOL_FORBIDDEN", why, by };
}

function judgeLimits({ closed, limits }: ToolRules, call: ReadCall): Denial | Passed {
  if (closed !== null) return denied(`${shown(call.name)} is not among the tools of ${whoever(closed)}`, closed);
  const found = new Set<ToolPattern>();
  let isCommand = false;
  for (const limit of limits) {
    const fit = fittingOf(limit, found, call);
    if (fit === undefined) return denied(whyNot(limit, call), limit.skills);
    if (found.size < mostFound) found.add(fit);
    isCommand ||= fit.argument?.kind === "command";
  }
  return { verdict: "pass", isCommand };
}

/** What let the call through elsewhere mostly does here. */
function fittingOf({ patterns }: ToolLimit, found: ReadonlySet<ToolPattern>, call: ReadCall): ToolPattern | undefined {
  for (const pattern of found) if (patterns.has(pattern)) return pattern;
  for (const pattern of patterns) if (fits(pattern, call)) return pattern;
  return undefined;
}

function whyNot({ skills, patterns }: ToolLimit, call: ReadCall): string {
  const isAboutCommands = [...patterns].some(({ argument }) => argument?.kind === "command");
  const because = isAboutCommands ? whyNoCommand(call) : whyNoPaths(call);
  const written = someOf(Array.from(patterns, ({ text }) => text));
  const what = `this call of ${shown(call.name)} does not fit what ${whoever(skills)} lets through (${written})`;
  return because === null ? what : `${what}: ${safeLine(because)}`;
}

function whyNoCommand({ words, refused }: ReadCall): string | null {
  return words === null ? "it has no command" : typeof words === "string" ? words : (refused?.why ?? null);
}

function whyNoPaths({ paths }: ReadCall): string | null {
  if (typeof paths === "string") return paths;
  return paths === null || paths.length === 0 ? "it names no path" : null;
}

/** An empty scope has no skills: it is itself what allows nothing. */
function whoever(skills: readonly string[]): string {
  return skills.length === 0 ? "an empty scope" : someOf(skills);
}

function answered(
  word: Exclude<HostWord, "deny">,
  isCommand: boolean,
  grants: readonly ToolPattern[],
  call: ReadCall,
): CallDecision {
  if (word === "allow")
    return { verdict: "allow", argv: argvOf(call, isCommand), why: "the host and the scope allow it" };
  if (word === "ask-always")
    return {
      verdict: "ask",
      argv: argvOf(call, isCommand),
      why: "it decides about later runs, so that a person is asked every time",
      everyTime: true,
    };
  const granted = grantOf(grants, call);
  if (granted === "none")
    return {
      verdict: "ask",
      argv: argvOf(call, isCommand),
      why: "it was not allowed beforehand, so that a person is asked",
    };
  const why = "a grant that was approved stands for the person the host would ask";
  return { verdict: "allow", argv: argvOf(call, isCommand || granted === "command"), why };
}

/** Each tool that the call means must have been granted. A command that only its pattern grants is run as its words. */
function grantOf(grants: readonly ToolPattern[], call: ReadCall): "none" | "whole" | "command" {
  let granted: "whole" | "command" = "whole";
  for (const tool of call.tools) {
    const fitting = grants.filter((grant) => fits(grant, { ...call, tools: [tool] }));
    if (fitting.length === 0) return "none";
    if (fitting.every(({ argument }) => argument?.kind === "command")) granted = "command";
  }
  return granted;
}

function argvOf({ words }: ReadCall, isCommand: boolean): readonly string[] | null {
  if (!isCommand) return null;
  if (typeof words === "string" || words === null) throw new TypeError("a command without words");
  return words;
}

function denied(why: string, by: readonly string[] = []): Denial {
  return { verdict: "deny", code: "TOOL_NOT_ALLOWED", why, by };
}

function shown(name: string): string {
  return `"${safeLine(name, 64)}"`;
}

/** What a person agreed to beforehand, as a host gives it. One that grants nothing would be noticed far too late. */
export function readGrants(given: unknown): readonly ToolPattern[] {
  if (!Array.isArray(given)) throw invalid('expected a list of patterns, such as ["Bash(git status)"]');
  return given.map((grant: unknown) => {
    const pattern = typeof grant === "string" ? parsePattern(grant) : null;
    if (pattern !== null) return pattern;
    const written = typeof grant === "string" ? `"${safeLine(grant)}"` : "what is no text";
    throw invalid(`${written} is no pattern of a tool, such as read or Bash(git status)`);
  });
}

function invalid(message: string): AppError {
  return new AppError("usage.invalid", `grants: ${message}`);
}
