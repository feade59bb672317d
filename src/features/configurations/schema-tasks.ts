import { z } from "@hono/zod-openapi";
import type { Task } from "../../models/task.ts";
import { recordId } from "./schema-providers.ts";

export const task = z
  .object({
    id: z.string(),
    configuration: z.string(),
    template: z.string().describe("The prompt, with `{{input}}` where the caller's text goes."),
  })
  .openapi("Task") satisfies z.ZodType<Task>;

export const tasks = z.array(task).readonly();

const fields = { configuration: recordId, template: z.string().max(256 * 1024) };

export const taskAdded = z.strictObject({ id: recordId, ...fields });
export const taskChanged = z.strictObject(fields).partial();
