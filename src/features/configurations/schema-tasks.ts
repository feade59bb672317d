import { z } from "@hono/zod-openapi";
import { task } from "../../models/schema.ts";
import { recordId } from "./schema-providers.ts";

export const tasks = z.array(task).readonly();

const fields = { configuration: recordId, template: z.string().max(256 * 1024) };

export const taskAdded = z.strictObject({ id: recordId, ...fields });
export const taskChanged = z.strictObject(fields).partial();
