import { posix } from "node:path";
import { type AgentLimits, type Inject, usualAgentLimits } from "./agent/agent-host.ts";
import type { CompletionExtension, SlashCommand } from "./agent/commands/command.ts";
import type { CallAsked } from "./agent/loop/caller.ts";
import type { SpawnLimits } from "./agent/spawn/spawn-host.ts";
import { unknownName } from "./agent/spawn/spawn-options.ts";
import type { Tool } from "./agent/tool.ts";
import { AppError } from "./core/error.ts";
import { isRecord, isText, isWhole } from "./core/json/json.ts";
import type { Model } from "./core/model.ts";
import { safeLine } from "./core/text.ts";
import { hostTools } from "./scope/tools/tools.ts";

/** How a program makes an agent. Only the folder and the model have to be named. */
export interface AgentOptions {
  /** Where it works: its tools stay inside, and the skills of it are found. */
  readonly folder: string;
  readonly model: Model;
  /** What the model is called where it is shown; `given` without it. */
  readonly modelName?: string;
  /** How its system prompt begins, in the program's own words. */
  readonly identity?: string;
  /** Take the folder's skills and rules as confirmed, for as long as the agent lasts. A cloned repository's are not (AG-2). */
  readonly trustWorkspace?: boolean;
  /** Skills to choose from, or as whole bodies in the system prompt; `catalogue` without it. */
  readonly inject?: Inject;
  /** Skills whose scope holds from the beginning, and in every conversation. */
  readonly hold?: readonly string[];
  /** What need not be asked, as in `allowed-tools`: `Bash(npm test)`. */
  readonly allow?: readonly string[];
  /** Asks a person: only `true` is a yes. Without it what has to be asked is denied. */
  readonly ask?: (asked: CallAsked) => Promise<boolean>;
  /** Beside those of every agent; none may have the name of one of these. */
  readonly tools?: readonly Tool[];
  /** Beside the built-in ones; none may have the name of one of these. */
  readonly commands?: readonly SlashCommand[];
  /** What completes lines, beside the commands and skills (AG-6). */
  readonly completions?: readonly CompletionExtension[];
  /** Run contracts of confirmed skills around sub-agents, in the sandbox (SC-10). */
  readonly allowContracts?: boolean;
  /** Keep conversations; not without it. */
  readonly keep?: boolean;
  /** Go on with the latest conversation of the folder, or with one by its id; only with `keep`. */
  readonly resume?: boolean | string;
  /** Notice edits from outside; not without it. */
  readonly watch?: boolean;
  /** In place of the person's own folder: for trust, conversations and skills of their own. An absolute path. */
  readonly home?: string;
  /** 0 means none at all, and not that there is no limit. */
  readonly limits?: Partial<AgentLimits>;
  readonly spawnLimits?: Partial<SpawnLimits>;
}

/** Throws `usage.invalid`: without a type checker `hold`, misspelt, would hold nothing, and nobody would notice. */
export function demandOptions(options: AgentOptions): void {
  const given: unknown = options;
  if (!isRecord(given)) throw invalid("createAgent: expected { folder, model }");
  const unknown = unknownName(given, Object.keys(kinds));
  if (unknown !== undefined) throw invalid(`${unknown.shown}: there is no such option; ${unknown.hint}`);
  for (const [name, { fits, expected }] of Object.entries(kinds))
    if ((given[name] !== undefined || isNeeded.has(name)) && !fits(given[name]))
      throw invalid(`${name}: expected ${expected}`);
  if (options.resume !== undefined && options.resume !== false && options.keep !== true)
    throw invalid("resume: only with keep: true is there a conversation to go on with");
  demandNames(options.tools ?? []);
  demandLimits(options.limits ?? {});
}

interface Kind {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

const text: Kind = { fits: isText, expected: "a text" };
const flag: Kind = { fits: (value) => typeof value === "boolean", expected: "true or false" };
const numbers: Kind = { fits: isRecord, expected: "an object of numbers" };

const kinds: { readonly [Option in keyof Required<AgentOptions>]: Kind } = {
  folder: { fits: isText, expected: "the path of a folder" },
  model: {
    fits: hasFunctions("answer"),
    expected: "a model with answer(); givenModel() makes one of a model of the AI SDK",
  },
  modelName: text,
  identity: text,
  trustWorkspace: flag,
  inject: { fits: (value) => value === "catalogue" || value === "bodies", expected: '"catalogue" or "bodies"' },
  hold: { fits: listOf(isText), expected: "a list of names of skills" },
  allow: { fits: listOf(isText), expected: 'a list of tools, such as ["Bash(npm test)"]' },
  ask: { fits: (value) => typeof value === "function", expected: "a function" },
  tools: { fits: listOf(isTool), expected: "a list of tools, each with a name, a description, a schema and run()" },
  commands: { fits: listOf(isCommand), expected: "a list of commands, each with a name, usage, about and run()" },
  completions: { fits: listOf(isExtension), expected: "a list of extensions, each with a prefix and commands()" },
  allowContracts: flag,
  keep: flag,
  resume: {
    fits: (value) => isText(value) || typeof value === "boolean",
    expected: "true, or the id of a conversation",
  },
  watch: flag,
  home: { fits: (value) => isText(value) && posix.isAbsolute(value), expected: "the absolute path of a folder" },
  limits: numbers,
  spawnLimits: numbers,
};

const isNeeded: ReadonlySet<string> = new Set(["folder", "model"] satisfies (keyof AgentOptions)[]);

function isTool(value: unknown): boolean {
  return (
    hasTexts("name", "description")(value) &&
    hasFunctions("run")(value) &&
    isRecord(value) &&
    isRecord(value["inputSchema"])
  );
}

function isCommand(value: unknown): boolean {
  return hasTexts("name", "usage", "about")(value) && hasFunctions("run")(value);
}

function isExtension(value: unknown): boolean {
  return hasTexts("prefix")(value) && hasFunctions("commands")(value);
}

function hasTexts(...names: readonly string[]): Kind["fits"] {
  return (value) => isRecord(value) && names.every((name) => isText(value[name]));
}

function hasFunctions(...names: readonly string[]): Kind["fits"] {
  return (value) => isRecord(value) && names.every((name) => typeof value[name] === "function");
}

function listOf(fits: Kind["fits"]): Kind["fits"] {
  return (value) => Array.isArray(value) && Array.from<unknown>(value).every(fits);
}

/** A tool in place of another would be taken for that one: by the model, by scopes and by whoever is asked. */
function demandNames(tools: readonly Tool[]): void {
  const taken = new Set<string>(hostTools);
  for (const { name } of tools) {
    if (taken.has(name))
      throw invalid(`tools: "${safeLine(name, 64)}" is another one's name; give yours one of its own`);
    taken.add(name);
  }
}

/** Those of sub-agents are read where these are started. */
function demandLimits(limits: Partial<AgentLimits>): void {
  const unknown = unknownName(limits, Object.keys(usualAgentLimits));
  if (unknown !== undefined) throw invalid(`limits: there is no ${unknown.shown}; ${unknown.hint}`);
  for (const [name, value] of Object.entries(limits))
    if (!isWhole(value) || value < 0)
      throw invalid(`limits.${safeLine(name, 64)}: expected a whole number; 0 means none`);
}

function invalid(message: string): AppError {
  return new AppError("usage.invalid", message);
}
