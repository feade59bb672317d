import { AppError } from "../../core/error.ts";
import type { Model } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import { askSdk, modelAnswer, type SdkLanguageModel } from "./answer.ts";
import { guarded } from "./failure.ts";

/** A language model of the AI SDK 6, as its providers make them: `openai("gpt-5")`, `anthropic("claude-…")`. */
export interface GivenLanguageModel {
  readonly specificationVersion: "v3";
  readonly modelId: string;
  // What a call takes and gives is the SDK's to say, in whatever version is installed.
  readonly doGenerate: (options: never) => PromiseLike<object>;
  readonly doStream?: (options: never) => PromiseLike<object>;
}

/**
 * A language model that the program already has, for sub-agents. It is called itself, without the SDK's loop: every
 * tool call it wants comes back, and passes the gate (SC-7). Settings such as a temperature are the model's own. What
 * is no such model is refused at once: `usage.invalid`.
 */
export function givenModel(model: GivenLanguageModel): Model {
  demandModel(model);
  const sdk = sdkLanguageModel(model);
  return {
    answer: (request) =>
      guarded(null, request.signal, async () => modelAnswer(await askSdk(sdk, request, null), request, null)),
  };
}

function demandModel(model: unknown): void {
  if (typeof model === "string")
    throw unfit("a name alone stands for a model of the SDK's gateway, which is not asked here");
  if (typeof model !== "object" || model === null || !("doGenerate" in model) || typeof model.doGenerate !== "function")
    throw unfit("this is none");
  const version: unknown = "specificationVersion" in model ? model.specificationVersion : undefined;
  if (version !== "v3") throw unfit(`this is one of another version (${safeLine(String(version), 40)})`);
}

function unfit(what: string): AppError {
  const wanted = 'pass a language model of the AI SDK 6, as a provider makes it, such as openai("gpt-5")';
  return new AppError("usage.invalid", `model: ${what}; ${wanted}`);
}

/** The same model, with the types of the version that is installed here. */
function sdkLanguageModel(model: GivenLanguageModel): SdkLanguageModel;
function sdkLanguageModel(model: unknown): unknown {
  return model;
}
