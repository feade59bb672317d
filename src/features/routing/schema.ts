import { z } from "@hono/zod-openapi";
import { finding } from "../../core/schema.ts";
import { triggers } from "../../routing/schema.ts";

const phrase = z.string().min(1).max(800);

export const phrasesAsked = z.strictObject({ phrases: z.array(phrase).min(1).max(50) });
export const phraseQuery = z.strictObject({ phrase: phrase.optional().describe("Without one: all of them.") });

export const triggerList = z
  .object({
    triggers: z
      .array(z.object({ ...triggers.shape, state: z.string().describe("Of one that is not in use they do nothing.") }))
      .readonly(),
    findings: z.array(finding).readonly().describe("Rows that cannot be read."),
  })
  .openapi("TriggerList");

export type TriggerList = Readonly<z.infer<typeof triggerList>>;
