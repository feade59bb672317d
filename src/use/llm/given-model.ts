import type { Model } from "../../base/model.ts";
import { answerOf, asked, type Generated, guarded } from "./sdk-answer.ts";

/** A language model of the AI SDK 6, as its providers make them: `openai("gpt-5")`, `anthropic("claude-…")`. */
export interface GivenLanguageModel {
  readonly specificationVersion: "v3";
  readonly modelId: string;
  // What a call takes and gives is the SDK's to say, in whatever version is installed.
  readonly doGenerate: (options: never) => PromiseLike<object>;
}

/**
 * A language model that the program already has, for sub-agents. It is called itself, without the SDK's loop: every
 * tool call it wants comes back, and passes the gate (SC-7). Settings such as a temperature are the model's own.
 */
export function givenModel(model: GivenLanguageModel): Model {
  return {
    answer: (request) =>
      guarded(null, request.signal, async () => answerOf(await generate(model, asked(request)), request, null)),
  };
}

function generate(model: GivenLanguageModel, options: ReturnType<typeof asked>): Promise<Generated>;
function generate(model: GivenLanguageModel, options: unknown): unknown {
  return Reflect.apply(model.doGenerate, model, [options]);
}
