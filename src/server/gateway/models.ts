import type { Context } from "hono";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { apiOf } from "../../models/protocols/apis.ts";
import type { ModelApi } from "../../models/protocols/model-api.ts";
import { allowsModel } from "../../models/provider.ts";
import { personOf, type Wire } from "../door.ts";
import type { Gateway } from "./gateway.ts";
import { parseDestination } from "./asked.ts";

/** When a configuration was made is nobody's business; the fields have to be there. */
const created = 0;

/** What can be asked for here: nothing is asked of a model service, whose own list may have more than is allowed. */
export async function answerModels(gateway: Gateway, context: Context<Wire>): Promise<Response> {
  return context.json(apiFor(context).renderModels(await allowedModels(gateway, context), created));
}

export async function answerModel(gateway: Gateway, context: Context<Wire>): Promise<Response> {
  const id = context.req.param("model") ?? "";
  const isKnown = (await allowedModels(gateway, context)).includes(id) || (await isAllowed(gateway, context, id));
  if (!isKnown) throw new AppError("record.missing", `there is no model "${safeLine(id, 128)}" for this key`);
  return context.json(apiFor(context).renderModel(id, created));
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

/** Every protocol has this path; Anthropic's clients always say their version. */
function apiFor({ env: { incoming } }: Context<Wire>): ModelApi {
  return apiOf("/v1/models", (name) => incoming.headers[name]);
}
