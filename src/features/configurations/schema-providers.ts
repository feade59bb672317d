import { z } from "@hono/zod-openapi";
import { protocols } from "../../models/protocols.ts";
import { provider } from "../../models/schema.ts";

export const providers = z.array(provider).readonly();

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
