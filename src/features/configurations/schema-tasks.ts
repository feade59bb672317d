import { z } from "@hono/zod-openapi";
import { recordId, task, taskSettings } from "../../models/schema.ts";

export const tasks = z.array(task).readonly();

export const taskAdded = z.strictObject({ id: recordId, ...taskSettings.shape });
export const taskChanged = z.strictObject(taskSettings.shape).partial();
