import { z } from "@hono/zod-openapi";
import { provider, providerSecret, providerSettings, recordId } from "../../models/schema.ts";

export const providers = z.array(provider).readonly();

const { protocol, origin, models } = providerSettings.shape;

export const providerChanged = z.strictObject({ origin, models }).partial();

export const providerAdded = providerChanged.extend({ id: recordId, protocol, secret: providerSecret.optional() });

export const secretAsked = z.strictObject({ secret: providerSecret });

/** What was taken away, by its id. */
export const removed = z.object({ removed: z.string() }).openapi("Removed");
