import { z } from "@hono/zod-openapi";
import { finding, texts } from "../../core/schema.ts";
import { attached } from "../../models/schema.ts";

const reaches = z.array(z.object({ what: z.string(), of: texts.describe("The skills that reach for it.") })).readonly();

const union = z
  .object({ secrets: reaches, network: reaches, shell: reaches })
  .describe("What all of them can reach for together.")
  .openapi("ReachedTogether");

/** What a configuration or a task carries (RV-14). */
const fields = {
  attached: z.array(attached).readonly().describe("In order; what cannot be used is there with its reason."),
  capabilities: union,
  findings: z.array(finding).readonly(),
};

export const attachedView = z.object(fields).openapi("AttachedView");

export type AttachedView = Readonly<z.infer<typeof attachedView>>;

export const attachedTo = z
  .object({
    target: z.string().describe("`config:<id>` or `task:<id>`."),
    entry: z.string().describe("The one that was put on it or taken off."),
    ...fields,
  })
  .openapi("AttachedTo");

export type AttachedTo = Readonly<z.infer<typeof attachedTo>>;
