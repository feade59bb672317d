import { AppError } from "../../../base/error.ts";
import type { Model } from "../../../base/model.ts";
import type { Link } from "../link.ts";
import { parseChoice } from "./llm-choice.ts";
import { renderQuestion } from "./llm-question.ts";
import { withoutTheirWords } from "./model-failure.ts";
import { candidatesOf } from "./shown.ts";

interface LlmOptions {
  readonly model: Model;
  readonly shown?: number;
  readonly timeBox: number;
  /** Sent along. Some models take no temperature: then leave it out. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
}

/** A model that says it is certain is not: its word counts at most as much as a declared trigger's. */
const most = 0.95;

/**
 * RT-2: a model chooses among the first candidates, or none. One question, without tools; what it answers is data, of
 * which a number and how sure it is are read and nothing else is ever done.
 */
export function llmLink({ model, shown = 10, timeBox, parameters = { temperature: 0 } }: LlmOptions): Link {
  return {
    name: "llm",
    role: "judges",
    shown,
    timeBox,
    async find(asked) {
      const candidates = candidatesOf(asked, shown);
      if (candidates.length === 0) return [];
      const { signal } = asked;
      const messages = renderQuestion(asked.query.text, candidates);
      const { text } = await withoutTheirWords(model.answer({ messages, parameters, signal }));
      const choice = parseChoice(text);
      if (choice === undefined) throw rubbish("is not the JSON object that it was asked for");
      if (choice.number === null) return [];
      // Nobody's number is no word on those that were shown: they are not put aside for it.
      const chosen = candidates[choice.number - 1];
      if (chosen === undefined) throw rubbish(`names none of the ${candidates.length} candidates`);
      const confidence = Math.min(choice.sure, most);
      const why = `the model chose it among ${candidates.length}, ${choice.sure.toFixed(2)} sure`;
      return [{ entry: chosen.id, confidence, why }];
    },
  };
}

function rubbish(why: string): AppError {
  return new AppError("upstream.invalid", `the model's answer ${why}`);
}
