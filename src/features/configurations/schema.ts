import { z } from "@hono/zod-openapi";
import { configuration, configurationSettings, recordId } from "../../models/schema.ts";

export const configurations = z.array(configuration).readonly();

const { routing, ...settings } = configurationSettings.shape;

export const configurationChanged = z.strictObject({ ...settings, routing: routing.partial() }).partial();

export const configurationAdded = configurationChanged.extend({
  id: recordId,
  provider: settings.provider,
  model: settings.model,
});
