import { z } from "@hono/zod-openapi";
import type { Provider } from "../../models/provider.ts";
import type { ChangedProvider } from "../../models/providers.ts";
import { protocols } from "../../models/protocols.ts";
import { count, texts } from "../../core/schema.ts";

/** RV-12: the secret can be set and replaced; no answer has a field for it. */
export const provider = z
  .object({
    id: z.string(),
    protocol: z.enum(protocols),
    origin: z.string().describe("The base address; empty where none is needed."),
    models: texts.describe("The models that may be asked for; `*` alone: any."),
    version: count.describe("Raised with every change of origin or secret."),
    hasSecret: z.boolean(),
  })
  .openapi("Provider") satisfies z.ZodType<Provider>;

export const providers = z.array(provider).readonly();

export const changedProvider = z
  .object({
    provider,
    secretDiscarded: z
      .boolean()
      .describe("The origin moved, and the secret was meant for the old one: it has to be set anew."),
  })
  .openapi("ChangedProvider") satisfies z.ZodType<ChangedProvider>;

/** The id of a provider, a configuration or a task; what it may hold is said by whoever adds it. */
export const recordId = z.string().min(1).max(64);

const origin = z.string().max(2048).describe("The base address, such as `https://api.example.com/v1`.");
const models = z.array(z.string().min(1).max(128)).max(500).describe("`*` alone: any.");
const secret = z.string().min(1).max(4096).describe("Kept encrypted for this origin, and never read back.");

export const providerAdded = z.strictObject({
  id: recordId,
  protocol: z.enum(protocols),
  origin: origin.optional(),
  models: models.optional(),
  secret: secret.optional(),
});

export const providerChanged = z.strictObject({ origin: origin.optional(), models: models.optional() });

export const secretAsked = z.strictObject({ secret });

/** What was taken away, by its id. */
export const removed = z.object({ removed: z.string() }).openapi("Removed");
