import { z } from "@hono/zod-openapi";
import type { Blocked, BlockWanted } from "../../../app/blocks.ts";
import { blockKind, blockWord, count, sentence } from "./registry.ts";

export const blocks = z.array(blockWord).readonly();

export const blockAsked = z.strictObject({
  kind: blockKind,
  value: z.string().min(1).max(2000),
  reason: sentence.min(1),
}) satisfies z.ZodType<BlockWanted>;

export const blocked = z
  .object({
    block: blockWord,
    known: z.boolean().describe("False: nothing in the registry fits it now; it holds for whatever comes."),
    changed: count.describe("How many skills went out of use, or came back into it, with this word."),
  })
  .openapi("Blocked") satisfies z.ZodType<Blocked>;
