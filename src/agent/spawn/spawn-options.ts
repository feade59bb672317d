import { AppError } from "../../core/error.ts";
import { isRecord, isText } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import { readGrants } from "../../scope/gate.ts";
import type { ToolPattern } from "../../scope/tools/tools.ts";
import type { Tool } from "../tool.ts";
import { type SpawnHost, type SpawnLimits, usualLimits } from "./spawn-host.ts";

/** What a primary said of itself, read. */
export interface ReadOptions {
  readonly limits: SpawnLimits;
  readonly grants: readonly ToolPattern[];
  /** Live where the host gave a map. */
  readonly tools: ReadonlyMap<string, Tool>;
}

/** Throws `usage.invalid`: without a type checker all of it can be something else, and would be noticed far too late. */
export function readOptions(host: SpawnHost): ReadOptions {
  const given: Given = host;
  // What a primary takes away, misspelt, would take nothing away.
  const unknown = unknownName(given, Object.keys(options));
  if (unknown !== undefined) throw invalid(`${unknown.shown}: there is no such option; ${unknown.hint}`);
  if (!isRegistry(given.capabilities))
    throw invalid("capabilities: expected a registry, from createCapabilities() or loadCapabilities()");
  if (typeof given.model !== "function")
    throw invalid("model: expected a function that gives a model, such as () => model");
  demandRestrictions(given);
  for (const name of ["ask", "onEvent", "onUsage"] as const)
    if (given[name] !== undefined && typeof given[name] !== "function") throw invalid(`${name}: expected a function`);
  return { limits: readLimits(given.limits ?? {}), grants: readGrants(given.grants ?? []), tools: readTools(host) };
}

type Given = { readonly [Option in keyof SpawnHost]?: unknown };

const options: { readonly [Option in keyof Required<SpawnHost>]: true } = {
  name: true,
  capabilities: true,
  tools: true,
  model: true,
  identity: true,
  forbiddenTools: true,
  scope: true,
  grants: true,
  ask: true,
  contracts: true,
  clock: true,
  stopwatch: true,
  timer: true,
  random: true,
  limits: true,
  strict: true,
  onEvent: true,
  onUsage: true,
};

function demandRestrictions({ name, identity, strict, forbiddenTools, scope }: Given): void {
  for (const [option, value] of Object.entries({ name, identity }))
    if (value !== undefined && !isText(value)) throw invalid(`${option}: expected a text`);
  if (strict !== undefined && typeof strict !== "boolean") throw invalid("strict: expected true or false");
  if (forbiddenTools !== undefined && !isListOfTexts(forbiddenTools))
    throw invalid('forbiddenTools: expected a list of tools, such as ["write", "Bash(git push)"]');
  if (scope !== undefined && scope !== null && typeof scope !== "function" && !isScope(scope))
    throw invalid("scope: expected null, or a scope such as compose() of a registry gives");
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && Array.from<unknown>(value).every(isText);
}

const scopeParts = ["skills", "groups", "forbidden", "protocol"];

function isScope(value: unknown): boolean {
  return isRecord(value) && scopeParts.every((part) => Array.isArray(value[part]));
}

const registryParts = ["get", "list", "validate", "compose"];

function isRegistry(value: unknown): boolean {
  return isRecord(value) && registryParts.every((part) => typeof value[part] === "function");
}

/** 0 means none. What is left out is as usual. */
function readLimits(given: unknown): SpawnLimits {
  if (!isRecord(given)) throw invalid("limits: expected an object");
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of wanted) {
    const shown = `limits.${safeLine(name, 64)}`;
    if (!Object.hasOwn(usualLimits, name))
      throw invalid(`${shown}: there is no such limit; there are ${Object.keys(usualLimits).join(", ")}`);
    if (!Number.isSafeInteger(value) || Number(value) < 0)
      throw invalid(`${shown}: expected a whole number; 0 means none`);
  }
  return { ...usualLimits, ...Object.fromEntries(wanted) };
}

function readTools({ tools }: Pick<SpawnHost, "tools">): ReadonlyMap<string, Tool> {
  const given: unknown = tools;
  if (!(given instanceof Map) && !Array.isArray(given))
    throw invalid("tools: expected a Map of tools by the names they are called with, or a list of tools");
  const listed: readonly unknown[] = [...given.values()];
  const stranger = listed.findIndex((tool) => !isTool(tool));
  if (stranger !== -1) throw invalid(`tools: number ${stranger + 1} is no tool: it needs at least a name and run()`);
  return "length" in tools ? byName(tools) : tools;
}

function isTool(value: unknown): boolean {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["run"] === "function";
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const named = new Map<string, Tool>();
  for (const tool of tools) {
    if (named.has(tool.name)) throw invalid(`tools: two are called "${safeLine(tool.name)}"`);
    named.set(tool.name, tool);
  }
  return named;
}

function invalid(message: string): AppError {
  return new AppError("usage.invalid", message);
}

/** The first name that is none of these, for a message, and which of them may have been meant. */
export function unknownName(
  given: object,
  known: readonly string[],
): { readonly shown: string; readonly hint: string } | undefined {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, known);
  const hint = near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`;
  return { shown: `"${safeLine(unknown, 64)}"`, hint };
}

const longestCompared = 256;

/** The one that begins most like it. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const word = name.slice(0, longestCompared).toLowerCase();
  const alike = known.map((each) => {
    const differs = Array.from(each.toLowerCase()).findIndex((letter, at) => word[at] !== letter);
    return { each, letters: differs === -1 ? each.length : differs };
  });
  const [best] = alike.toSorted((a, b) => b.letters - a.letters);
  return best !== undefined && best.letters > 1 ? best.each : undefined;
}
