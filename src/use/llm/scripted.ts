import { AppError } from "../../base/error.ts";
import type { Message, Model } from "../../base/model.ts";
import type { Transport } from "../../base/transport.ts";
import { answeringModel } from "./echo.ts";
import { textOfContent } from "./echo-prompt.ts";
import { answeringTransport } from "./echo-transport.ts";
import type { Script } from "./scripted-rules.ts";

/**
 * Answers by rules: the first one whose `when` is in the last user message, otherwise the last one without `when`. It
 * refuses to answer what no rule is for.
 */
export function scriptedModel({ rules }: Script): Model {
  const otherwise = rules.findLast(({ when }) => when === undefined);
  return answeringModel((messages) => {
    const asked = lastUserText(messages);
    const rule = rules.find(({ when }) => when !== undefined && asked.includes(when)) ?? otherwise;
    if (rule !== undefined) return rule.reply;
    throw new AppError("upstream.invalid", "the script has no answer to this; add a rule without `when`");
  });
}

/** A model service in both protocols that always says the same. */
export function scriptedTransport(reply: string): Transport {
  return answeringTransport(() => reply);
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

function lastUserText(messages: readonly Message[]): string {
  return textOfContent(messages.findLast(({ role }) => role === "user")?.content);
}
