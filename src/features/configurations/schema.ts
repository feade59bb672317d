import { z } from "@hono/zod-openapi";
import { configuration, routing } from "../../models/schema.ts";
import { recordId } from "./schema-providers.ts";
import { trust } from "../../sources/schema.ts";

export const configurations = z.array(configuration).readonly();

/** The kind of each field, and a bound; what it may hold is said by the one model of them, which refuses by name. */
const { id: _, parameters, ...kept } = configuration.shape;
const fields = {
  ...kept,
  provider: recordId,
  model: z.string().min(1).max(128),
  systemPrompt: z.string().max(256 * 1024),
  parameters: z.record(z.string().max(64), parameters.unwrap().valueType),
  routable: z.array(z.string().min(1).max(1024)).max(1000),
  routing: z.strictObject(routing.shape).partial(),
  trustFloor: trust,
  systemFloor: trust,
};

export const configurationChanged = z.strictObject(fields).partial();

export const configurationAdded = configurationChanged.extend({
  id: recordId,
  provider: fields.provider,
  model: fields.model,
});
