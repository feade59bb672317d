import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { ToolPattern } from "../../../base/tools/tools.ts";
import { isObject, isText } from "../../../registry/stored-values.ts";
import { readGrants } from "../../scope/grants.ts";
import { type SpawnHost, type SpawnLimits, usualLimits } from "./spawn-host.ts";
import type { Tool } from "../tool.ts";
import { unknownName } from "./unknown-name.ts";

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
  demandKnown(given);
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

/** What a primary takes away, misspelt, would take nothing away. */
function demandKnown(given: Given): void {
  const unknown = unknownName(given, Object.keys(options));
  if (unknown !== undefined) throw invalid(`${unknown.shown}: there is no such option; ${unknown.hint}`);
}

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
  return isObject(value) && scopeParts.every((part) => Array.isArray(value[part]));
}

const registryParts = ["get", "list", "validate", "compose"];

function isRegistry(value: unknown): boolean {
  return isObject(value) && registryParts.every((part) => typeof value[part] === "function");
}

/** 0 means none. What is left out is as usual. */
function readLimits(given: unknown): SpawnLimits {
  if (!isObject(given)) throw invalid("limits: expected an object");
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
  return isObject(value) && typeof value["name"] === "string" && typeof value["run"] === "function";
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
