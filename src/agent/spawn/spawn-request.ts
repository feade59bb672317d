import { isRecord } from "../../core/json/json.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine, safeName } from "../../core/text.ts";

import type { CapabilitySkill } from "../../scope/capability.ts";
import { joinScopes } from "../../scope/compose-scope.ts";
import type { ScopeError } from "../../scope/registry.ts";
import type { Scope } from "../../scope/scope.ts";
import type { SpawnHost } from "./spawn-host.ts";
import { unknownName } from "./spawn-options.ts";

/** A request that was read once: nobody can change it after it was looked at. */
export interface ReadRequest {
  readonly task: string;
  /** Empty: none of its own. */
  readonly skills: readonly string[];
  readonly agent: string | null;
  readonly model: string | null;
  readonly timeout: number | null;
  readonly signal: AbortSignal | undefined;
}

const longestTask = 256 * 1024;
const mostSkills = 1000;
const longestName = 256;

/** What a model can ask for, too. */
const fields = ["task", "skills", "agent", "model", "timeout"];

/**
 * A text says what is wrong with it. Never throws: also a model writes requests. Where one does, the signal is not its to
 * give: it is `given`.
 */
export function readRequest(
  asked: unknown,
  given?: { readonly signal: AbortSignal | undefined },
): ReadRequest | string {
  try {
    if (!isRecord(asked)) return "a request is an object with a task";
    const copy = { ...asked };
    // A scope that was misspelt would be no scope at all.
    const unknown = unknownName(copy, given === undefined ? [...fields, "signal"] : fields);
    if (unknown !== undefined) return `${unknown.shown}: a request has no such field; ${unknown.hint}`;
    return readFields({ ...copy, ...given });
  } catch {
    return "the request cannot be read";
  }
}

function readFields({ task, skills, agent, model, timeout, signal }: Readonly<Record<string, unknown>>) {
  const names = readNames(skills ?? []);
  if (typeof task !== "string" || task.trim() === "") return "task: expected a text that says what to do";
  if (Buffer.byteLength(task) > longestTask) return `task: longer than ${longestTask} bytes`;
  if (typeof names === "string") return names;
  if (!isAbsentOr(agent, isAgentName)) return "agent: expected a name of at most 64 characters on one line";
  if (!isAbsentOr(model, isName)) return "model: expected a name";
  if (!isAbsentOr(timeout, isTimeout)) return "timeout: expected milliseconds, a whole number above 0";
  if (!isAbsentOr(signal, isSignal)) return "signal: expected an AbortSignal";
  const others = { agent: agent ?? null, model: model ?? null, timeout: timeout ?? null };
  return { task, skills: names, ...others, signal: signal ?? undefined };
}

function readNames(skills: unknown): readonly string[] | string {
  if (!Array.isArray(skills)) return "skills: expected a list of names";
  if (skills.length > mostSkills) return `skills: ${skills.length} are more than ${mostSkills}`;
  const names: readonly unknown[] = [...skills];
  const stranger = names.findIndex((name) => !isName(name));
  if (stranger !== -1) return `skills: number ${stranger + 1} is no name`;
  return names.filter(isName);
}

function isAbsentOr<Kind>(value: unknown, isIt: (value: unknown) => value is Kind): value is Kind | null | undefined {
  return value === undefined || value === null || isIt(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= longestName;
}

function isAgentName(value: unknown): value is string {
  return isName(value) && safeName(value) === value;
}

function isTimeout(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal;
}

/** What a child may use, and the skills it asked for itself. */
export interface SkillSet {
  readonly scope: Scope | null;
  readonly skills: readonly CapabilitySkill[];
  readonly findings: readonly Finding[];
}

/** SC-5: against the primary's registry at every depth; the scope is the parent's and its own together. All in one go. */
export function readSet(
  { capabilities, strict }: Pick<SpawnHost, "capabilities" | "strict">,
  parent: Scope | null,
  names: readonly string[],
  catalogue: readonly string[],
): SkillSet | { readonly errors: readonly ScopeError[] } {
  if (names.length === 0) return { scope: parent, skills: [], findings: [] };
  const { errors, findings } = capabilities.validate(names, { strict, catalogue });
  if (errors.length > 0) return { errors };
  const own = capabilities.compose(names, { strict });
  const skills = own.skills.map(({ id }) => capabilities.get(id)).filter((skill) => skill !== undefined);
  if (skills.length < own.skills.length) throw new Error("a skill of the set is not in the registry");
  return { scope: joinScopes(parent, own), skills, findings };
}

const mostShown = 10;

export function errorText(errors: readonly ScopeError[]): string {
  const shown = errors.slice(0, mostShown).map(({ code, skill, reason }) => `${code} ${safeLine(skill)}: ${reason}`);
  const more = errors.length - mostShown;
  return `Skill validation failed: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
