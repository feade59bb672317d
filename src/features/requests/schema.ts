import { z } from "@hono/zod-openapi";
import { text } from "../http/words.ts";
import { requestedId, count, digest, finding, texts } from "../../core/schema.ts";
import { trust } from "../../sources/schema.ts";

const via = z.enum(["configuration", "task", "invoked", "routed"]);

const composition = z
  .object({
    block: z.string().describe("For the first user message; empty when there is nothing."),
    systemBlock: z.string().describe("For a system message of its own."),
    bytes: count.describe("Of both, framing included."),
    tokens: count.describe("About as many."),
    included: z
      .array(
        z.object({
          entry: z.string(),
          digest,
          name: z.string(),
          via,
          trust,
          place: z.enum(["user", "system"]),
          bytes: count,
          grants: texts,
        }),
      )
      .readonly(),
    dropped: z
      .array(
        z.object({
          entry: z.string(),
          digest: digest.nullable().describe("Null when nothing of it is approved."),
          via,
          why: z.enum(["unusable", "below-floor", "tampered", "too-large", "over-budget"]),
        }),
      )
      .readonly(),
    findings: z.array(finding).readonly(),
    digest: z.string().describe("Over both blocks: the same for the same bytes, and for no others."),
  })
  .openapi("Composition");

export const preview = z
  .object({
    generation: count,
    budget: count.describe("In bytes, for all blocks together."),
    composition,
    last: z
      .union([composition, z.null()])
      .describe("The second block, of what is chosen by the last message; null: none."),
    routed: texts.describe("What was chosen by what the request says, whether there was room for it or not."),
    findings: z.array(finding).readonly().describe("What came of choosing."),
  })
  .openapi("CompositionPreview");

export type CompositionPreview = Readonly<z.infer<typeof preview>>;

export const previewAsked = z.strictObject({
  configuration: requestedId,
  task: requestedId.optional().describe("A task of that configuration."),
  skills: z.array(z.string().min(1).max(1024)).max(64).optional().describe("For this request alone, by id or name."),
  query: text.max(65_536).optional().describe("What the request says: with it, skills are chosen as for a request."),
});
