import { z } from "@hono/zod-openapi";
import type { Whereabouts } from "../../../app/where.ts";
import { usageEvents } from "../../../registry/usage.ts";
import { blockWord, count, decision, digest, moment, type Sent, state, wholeNumber } from "./registry.ts";

/** Where something happened to a digest. */
const place = {
  entry: z.string(),
  event: z.enum(usageEvents),
  configuration: z.string().nullable(),
  task: z.string().nullable(),
  conversation: z.string().nullable(),
  tool: z.string().nullable().describe("Which tool was denied."),
};

const use = z.object({ ...place, times: count, first: moment, last: moment });
const singleUse = z.object({ ...place, at: moment, digest });

export const whereabouts = z
  .object({
    digest,
    entries: z
      .array(
        z.object({
          entry: z.string(),
          state,
          isCurrent: z.boolean(),
          isInUse: z.boolean(),
          attachedTo: z.array(z.templateLiteral([z.enum(["config:", "task:"]), z.string()])).readonly(),
        }),
      )
      .readonly(),
    decisions: z.array(decision).readonly(),
    block: z.union([blockWord, z.null()]),
    uses: z
      .union([z.array(use).readonly(), z.array(singleUse).readonly()])
      .describe("The latest first; one for each place, or with `each` for each single use."),
    more: z.boolean(),
    expiredBefore: moment.nullable().describe("What was used before is not known any more; null: all is kept."),
    spooled: count.describe("Batches of usage that wait on this node and are not in `uses`."),
  })
  .openapi("Whereabouts") satisfies z.ZodType<Sent<Whereabouts>>;

export const whereQuery = z.strictObject({
  each: z.enum(["true", "false"]).optional(),
  limit: wholeNumber(1, 1000).optional().describe("100 when nothing is said."),
});
