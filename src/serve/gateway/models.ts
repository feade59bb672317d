import type { Context } from "hono";
import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import { allowsModel } from "../../use/llm/provider.ts";
import { personOf, type Wire } from "../door.ts";
import type { Gateway } from "./gateway.ts";
import { parseDestination } from "./asked.ts";
import { renderModel, renderModels } from "./model-list.ts";
import type { Speech } from "./routes.ts";

/** What can be asked for here: nothing is asked of a model service, whose own list may have more than is allowed. */
export async function answerModels(gateway: Gateway, context: Context<Wire>): Promise<Response> {
  return context.json(renderModels(speechOf(context), await allowedModels(gateway, context)));
}

export async function answerModel(gateway: Gateway, context: Context<Wire>): Promise<Response> {
  const id = context.req.param("model") ?? "";
  const isKnown = (await allowedModels(gateway, context)).includes(id) || (await isAllowed(gateway, context, id));
  if (!isKnown) throw new AppError("record.missing", `there is no model "${safeLine(id, 128)}" for this key`);
  return context.json(renderModel(speechOf(context), id));
}

/** Under a configuration the names are the provider's; under plain `/v1` they are those of CO-15. */
async function allowedModels({ serving }: Gateway, context: Context<Wire>): Promise<readonly string[]> {
  const person = personOf(context.env.exchange);
  const configuration = context.req.param("configuration");
  if (configuration === undefined) return serving.models(person);
  const { provider, configuration: found } = await serving.target(person, { configuration });
  return [...new Set([found.model, ...provider.models])].filter((model) => allowsModel(provider, model));
}

/** A provider that allows any model has no list to be on. */
async function isAllowed({ serving }: Gateway, context: Context<Wire>, id: string): Promise<boolean> {
  const configuration = context.req.param("configuration");
  const { name, model } = configuration === undefined ? parseDestination(id) : { name: { configuration }, model: id };
  const { provider } = await serving.target(personOf(context.env.exchange), name);
  return model !== null && allowsModel(provider, model);
}

/** Both protocols have this path; Anthropic's clients always say their version. */
function speechOf({ env: { incoming } }: Context<Wire>): Speech {
  return incoming.headers["anthropic-version"] === undefined ? "openai" : "anthropic";
}
