import { z } from "@hono/zod-openapi";
import type { Configuration, ConfigurationFields } from "../../models/configuration.ts";
import { recordId } from "./schema-providers.ts";
import { texts } from "../../core/schema.ts";
import { trust } from "../../sources/schema.ts";

const threshold = z.number().min(0).max(1).nullable().describe("Null: the router's own.");
const parameter = z.union([z.string(), z.number(), z.boolean()]);
const placement = z.enum(["user", "system"]);
const routeOn = z.enum(["first", "last"]).describe("The user message that is read.");
const bytes = z.number().int().min(1).describe("Bytes of the whole block.");
const contextTokens = z.number().int().min(1).nullable().describe("How much the model can read; null: not known.");

export const configuration = z
  .object({
    id: z.string(),
    provider: z.string(),
    model: z.string(),
    systemPrompt: z.string(),
    parameters: z.record(z.string(), parameter),
    placement,
    routable: texts.describe(
      "What routing may choose: entries by id, sources as `source:<id>`. Empty: what is attached.",
    ),
    routing: z.object({ enabled: z.boolean(), accept: threshold, margin: threshold, floor: threshold, routeOn }),
    budget: bytes,
    contextTokens,
    trustFloor: trust.describe("Entries of less trust are not used."),
    systemFloor: trust.describe("Entries of less trust stay out of the system role."),
  })
  .openapi("Configuration") satisfies z.ZodType<Configuration>;

export const configurations = z.array(configuration).readonly();

/** The kind of each field, and a bound; what it may hold is said by the one model of them, which refuses by name. */
const fields = {
  provider: recordId,
  model: z.string().min(1).max(128),
  systemPrompt: z.string().max(256 * 1024),
  parameters: z.record(z.string().max(64), parameter),
  placement,
  routable: z.array(z.string().min(1).max(1024)).max(1000),
  routing: z
    .strictObject({ enabled: z.boolean(), accept: threshold, margin: threshold, floor: threshold, routeOn })
    .partial(),
  budget: bytes,
  contextTokens,
  trustFloor: trust,
  systemFloor: trust,
} satisfies Record<keyof ConfigurationFields, z.ZodType>;

export const configurationChanged = z.strictObject(fields).partial();

export const configurationAdded = configurationChanged.extend({
  id: recordId,
  provider: fields.provider,
  model: fields.model,
});
