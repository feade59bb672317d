/**
 * What goes between the host and the thread that runs contracts: JSON text, and no objects. Whatever comes back is read
 * here as if the contract itself had written it.
 */
import { type Fields, fieldsOf, parseJson } from "../../core/json/json.ts";
import { safeLine, safeName } from "../../core/text.ts";
import type { ContractFaultCode, PredicateKind, Severity } from "./contract.ts";

/** What the thread is asked. It answers one step before it gets the next. */
export type Step =
  /** An engine for the next contract: it forgets the last one. */
  | { readonly step: "engine" }
  /** A contract, in that engine. The facts are JSON text. */
  | { readonly step: "open"; readonly code: string; readonly facts: string; readonly milliseconds: number }
  /** One predicate of the contract that was opened last, by its place in the declaration. */
  | { readonly step: "ask"; readonly predicate: number; readonly milliseconds: number };

/** Characters of what one step may answer. */
export const longestReply = 65_536;
export const mostPredicates = 64;
const longestReason = 300;

export interface Declared {
  readonly kind: PredicateKind;
  readonly name: string;
  readonly severity: Severity;
}

export interface Answer {
  readonly holds: boolean;
  readonly reason: string | null;
}

export interface Refusal {
  readonly fault: ContractFaultCode;
  readonly message: string;
}

export function refusalText(fault: ContractFaultCode, message: string): string {
  return JSON.stringify({ fault, message });
}

/** The predicates of a contract, in the order that they are asked by. */
export function readDeclaration(reply: unknown): readonly Declared[] | Refusal {
  const read = parsed(reply);
  const refusal = refusalIn(read);
  if (refusal) return refusal;
  const contract = read.get("contract");
  const fields = read.size === 1 ? fieldsAmong(["name", "version", "predicates"], contract) : undefined;
  if (!fields || !isName(fields.get("name")) || !isName(fields.get("version")))
    return unreadable("its name and its version must be plain texts of 1 to 64 characters");
  return predicatesIn(fields.get("predicates"));
}

function predicatesIn(list: unknown): readonly Declared[] | Refusal {
  if (!Array.isArray(list) || list.length > mostPredicates)
    return unreadable(`it declares more than ${mostPredicates} predicates`);
  const predicates = list.flatMap((item: unknown) => predicateIn(item) ?? []);
  if (predicates.length === list.length) return predicates;
  return unreadable("the name of a predicate must be a plain text of 1 to 64 characters");
}

function predicateIn(item: unknown): Declared | undefined {
  const fields = fieldsAmong(["kind", "name", "severity"], item);
  const [kind, name, severity] = [fields?.get("kind"), fields?.get("name"), fields?.get("severity")];
  if (kind !== "preconditions" && kind !== "invariants" && kind !== "postconditions") return undefined;
  if (!isName(name) || (severity !== "HARD" && severity !== "SOFT")) return undefined;
  return { kind, name, severity };
}

/** `true`, `false` or `{ holds, reason? }`. */
export function readAnswer(reply: unknown): Answer | Refusal {
  const read = parsed(reply);
  const refusal = refusalIn(read);
  if (refusal) return refusal;
  const answer = read.get("answer");
  if (read.size !== 1) return noAnswer;
  if (typeof answer === "boolean") return { holds: answer, reason: null };
  const fields = fieldsAmong(["holds", "reason"], answer);
  const [holds, reason = null] = [fields?.get("holds"), fields?.get("reason")];
  if (typeof holds !== "boolean" || (reason !== null && typeof reason !== "string")) return noAnswer;
  return { holds, reason: reason === null || reason === "" ? null : safeLine(reason, longestReason) };
}

const noAnswer: Refusal = { fault: "contract.reply", message: "it answered neither true, false nor { holds, reason }" };

function unreadable(message: string): Refusal {
  return { fault: "contract.unreadable", message };
}

const faults: ReadonlySet<unknown> = new Set<ContractFaultCode>([
  "contract.unreadable",
  "contract.threw",
  "contract.timeout",
  "contract.memory",
  "contract.reply",
  "contract.crashed",
]);

function isFault(code: unknown): code is ContractFaultCode {
  return faults.has(code);
}

function refusalIn(read: Fields): Refusal | undefined {
  const [fault, message] = [read.get("fault"), read.get("message")];
  if (!isFault(fault) || typeof message !== "string" || read.size !== 2) return undefined;
  return { fault, message: safeLine(message, longestReason) };
}

const none: Fields = new Map();

/** No fields at all when it is no text, too long, no JSON or no object. */
function parsed(reply: unknown): Fields {
  if (typeof reply !== "string" || reply.length > 4 * longestReply) return none;
  return fieldsOf(parseJson(reply)) ?? none;
}

/** An object with none but these fields. */
function fieldsAmong(known: readonly string[], value: unknown): Fields | undefined {
  const fields = fieldsOf(value);
  return fields === undefined || [...fields.keys()].some((key) => !known.includes(key)) ? undefined : fields;
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name !== "" && safeName(name) === name;
}
