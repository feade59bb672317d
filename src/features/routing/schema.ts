import { z } from "@hono/zod-openapi";
import type { TriggerList } from "./triggers.ts";
import type { Triggers } from "../../routing/admin-triggers.ts";
import { finding } from "../../core/schema.ts";
import { type Sent, texts } from "../../core/schema.ts";

const fields = { entry: z.string(), phrases: texts };
const phrase = z.string().min(1).max(800);

export const phrasesAsked = z.strictObject({ phrases: z.array(phrase).min(1).max(50) });
export const phraseQuery = z.strictObject({ phrase: phrase.optional().describe("Without one: all of them.") });

export const triggers = z.object(fields).openapi("Triggers") satisfies z.ZodType<Triggers>;

export const triggerList = z
  .object({
    triggers: z
      .array(z.object({ ...fields, state: z.string().describe("Of one that is not in use they do nothing.") }))
      .readonly(),
    findings: z.array(finding).readonly().describe("Rows that cannot be read."),
  })
  .openapi("TriggerList") satisfies z.ZodType<Sent<TriggerList>>;
