import { z } from "@hono/zod-openapi";
import { requestedId, count, moment } from "../../core/schema.ts";
import { usageEvents } from "../../registry/usage/usage.ts";
import { wholeNumber } from "../http/query.ts";

const counts = z.partialRecord(z.enum(usageEvents), count).readonly();

/** One day (UTC, `2026-11-16`), and how often what happened to skills on it. */
export const usageDay = z.object({ day: z.string().describe("In universal time."), counts }).openapi("UsageDay");

export type UsageDay = z.infer<typeof usageDay>;

/** What happened to skills, day by day and to each of them (SV-3). */
export const usageView = z
  .object({
    since: z.string().describe("The first day that is counted."),
    days: z.array(usageDay).readonly().describe("Every day up to today."),
    skills: z
      .array(
        z.object({
          entry: z.string(),
          name: z.string(),
          counts,
          last: moment,
          tools: z
            .array(z.object({ tool: z.string(), times: count }))
            .readonly()
            .describe("Which tools were denied."),
        }),
      )
      .readonly()
      .describe("The most used first; 500 at the most."),
  })
  .openapi("UsageView");

export type UsageView = z.infer<typeof usageView>;

export const usageQuery = z.strictObject({
  days: wholeNumber(1, 366).optional().describe("30 when nothing is said."),
  configuration: requestedId.optional(),
});
