import { AppError } from "../../base/error.ts";
import type { Message, Model, WantedCall } from "../../base/model.ts";
import { answeringModel } from "./echo.ts";
import { textOfContent } from "./echo-prompt.ts";
import type { Rule, Script, ScriptedCall } from "./scripted-rules.ts";

/**
 * Answers by rules: the first one whose conditions hold, otherwise the last one without any. It refuses to answer what
 * no rule is for.
 *
 * `when` is looked for in what the model heard last: the last user message or, where calls were answered since, the
 * results of all of them. `turn` is which answer of the conversation this is, counted from 1. A script that starts a
 * loop and ends it:
 *
 * ```json
 * [
 *   { "when": "Tidy up", "reply": "I look first.", "calls": [{ "tool": "list", "input": { "path": "." } }] },
 *   { "when": "notes.txt", "reply": "Done." }
 * ]
 * ```
 *
 * Calls are made only where the model was given tools; what they ask for need not be among those.
 */
export function scriptedModel({ rules }: Script): Model {
  const otherwise = rules.findLast(({ when, turn }) => when === undefined && turn === undefined);
  return answeringModel(({ messages, tools }) => {
    const heard = lastHeard(messages);
    const now = messages.filter(({ role }) => role === "assistant").length + 1;
    const rule = rules.find((each) => isMeant(each, heard, now)) ?? otherwise;
    if (rule === undefined)
      throw new AppError("upstream.invalid", "the script has no answer to this; add a rule without `when`");
    const { reply: text = "", calls = [] } = rule;
    return tools === undefined || calls.length === 0 ? { text } : { text, calls: calls.map(wantedIn(now)) };
  });
}

function isMeant({ when, turn }: Rule, heard: string, now: number): boolean {
  if (when === undefined && turn === undefined) return false;
  return (when === undefined || heard.includes(when)) && (turn === undefined || turn === now);
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

function lastHeard(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === "user" || role === "tool");
  const isResult = messages[last]?.role === "tool";
  const before = isResult ? messages.findLastIndex(({ role }, at) => at < last && role !== "tool") : last - 1;
  const heard = messages.slice(before + 1, last + 1);
  return heard.map(({ content }) => textOfContent(content)).join("\n");
}
