import { AppError } from "../core/error.ts";
import type { Message, Model, ModelRequest, WantedCall } from "../core/model.ts";
import { safeLine } from "../core/text.ts";
import { answeringModel } from "./echo.ts";
import { textOfContent } from "./protocols/prompt.ts";
import type { Rule, Script, ScriptedCall, ScriptedFailure } from "./scripted-rules.ts";
import { failureOf } from "./sdk/failure.ts";

/** A request as the model got it, for a test to read: a copy that nobody can change any more. */
export type ScriptedRequest = Pick<ModelRequest, "messages" | "parameters" | "tools">;

export interface ScriptedOptions {
  /** Told of every request before it is answered. What it throws is how the model fails. */
  readonly onRequest?: (request: ScriptedRequest) => void;
}

/**
 * Answers by rules: the first one whose conditions hold, otherwise the last one without any. It refuses to answer what
 * no rule is for.
 *
 * `when` is looked for in what the model heard last: the last user message or, where calls were answered since, the
 * results of all of them. `turn` is which answer of the conversation this is, counted from 1. `system` is looked for in
 * the system messages, so that a script can answer to what the prompt holds. A script that starts a loop and ends it:
 *
 * ```json
 * [
 *   { "when": "Tidy up", "reply": "I look first.", "calls": [{ "tool": "list", "input": { "path": "." } }] },
 *   { "when": "notes.txt", "reply": "Done." }
 * ]
 * ```
 *
 * Calls are made only where the model was given tools; what they ask for need not be among those.
 *
 * With `fail` the model fails as its service would: with `status` and `message`, or by a connection that is reset.
 * `after` is how many characters of `reply` are told before that, to who listens:
 *
 * ```json
 * [
 *   { "turn": 1, "fail": { "status": 429, "message": "too many requests" } },
 *   { "turn": 2, "reply": "I am still", "fail": { "after": 4 } }
 * ]
 * ```
 */
export function scriptedModel({ rules }: Script, { onRequest }: ScriptedOptions = {}): Model {
  const otherwise = rules.findLast((rule) => !hasCondition(rule));
  return answeringModel(({ messages, parameters, tools }) => {
    onRequest?.(frozen(structuredClone({ messages, parameters, tools })));
    const asked = { heard: lastHeard(messages), system: systemIn(messages), turn: answersIn(messages) + 1 };
    const rule = rules.find((each) => hasCondition(each) && isMeant(each, asked)) ?? otherwise;
    if (rule === undefined)
      throw new AppError("upstream.invalid", "the script has no answer to this; add a rule without `when`");
    const { reply: text = "", calls = [], fail } = rule;
    if (fail !== undefined) return { text: beginningOf(text, fail.after ?? 0), failure: failureBy(fail) };
    return tools === undefined || calls.length === 0 ? { text } : { text, calls: calls.map(wantedIn(asked.turn)) };
  });
}

function hasCondition({ when, turn, system }: Rule): boolean {
  return when !== undefined || turn !== undefined || system !== undefined;
}

interface Asked {
  readonly heard: string;
  readonly system: string;
  readonly turn: number;
}

function isMeant({ when = "", turn, system = "" }: Rule, asked: Asked): boolean {
  return asked.heard.includes(when) && asked.system.includes(system) && (turn === undefined || turn === asked.turn);
}

/** In characters, none of which is cut. */
function beginningOf(text: string, count: number): string {
  return Array.from(text).slice(0, count).join("");
}

function failureBy({ status, message }: ScriptedFailure): AppError {
  if (status === undefined)
    return new AppError("upstream.unreachable", safeLine(message ?? "the connection was reset", 240));
  // In the very words in which a model service's own failure is told.
  return failureOf(Object.assign(new Error(message ?? "it gave no reason"), { statusCode: status }), null);
}

/** The same ids for the same conversation, and no id twice in one. */
function wantedIn(turn: number): (call: ScriptedCall, index: number) => WantedCall {
  return ({ tool, input = {} }, index) => ({
    id: `call_${turn}_${index + 1}`,
    tool,
    input: typeof input === "string" ? input : JSON.stringify(input),
  });
}

/** What a provider that speaks `scripted` answers under a configuration: its parameter `reply`. */
export function replyOf(parameters: Readonly<Record<string, string | number | boolean>>): string {
  const { reply } = parameters;
  if (reply !== undefined) return String(reply);
  throw new AppError(
    "usage.invalid",
    "a scripted provider answers with the parameter `reply` of the configuration; set it",
  );
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

function answersIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

function systemIn(messages: readonly Message[]): string {
  const system = messages.filter(({ role }) => role === "system");
  return system.map(({ content }) => textOfContent(content)).join("\n");
}

function lastHeard(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === "user" || role === "tool");
  const isResult = messages[last]?.role === "tool";
  const before = isResult ? messages.findLastIndex(({ role }, at) => at < last && role !== "tool") : last - 1;
  const heard = messages.slice(before + 1, last + 1);
  return heard.map(({ content }) => textOfContent(content)).join("\n");
}
