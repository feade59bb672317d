import { safeName } from "../../../base/text.ts";
import { isObject } from "../../../registry/stored-values.ts";
import { unknownName } from "./unknown-name.ts";

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
    if (!isObject(asked)) return "a request is an object with a task";
    const copy = { ...asked };
    const unknown = unknownField(copy, given === undefined ? [...fields, "signal"] : fields);
    return unknown ?? readFields({ ...copy, ...given });
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

/** A scope that was misspelt would be no scope at all. */
function unknownField(request: Readonly<Record<string, unknown>>, known: readonly string[]): string | undefined {
  const unknown = unknownName(request, known);
  return unknown && `${unknown.shown}: a request has no such field; ${unknown.hint}`;
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
