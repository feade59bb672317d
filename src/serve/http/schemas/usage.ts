import { z } from "@hono/zod-openapi";
import type { UsageView } from "../../../app/usage-view.ts";
import { usageEvents } from "../../../registry/usage.ts";
import { recordId } from "./providers.ts";
import { count, moment, type Sent, wholeNumber } from "./registry.ts";

const counts = z.partialRecord(z.enum(usageEvents), count).readonly();

export const usageDay = z.object({ day: z.string().describe("In universal time."), counts }).openapi("UsageDay");

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
  .openapi("UsageView") satisfies z.ZodType<Sent<UsageView>>;

export const usageQuery = z.strictObject({
  days: wholeNumber(1, 366).optional().describe("30 when nothing is said."),
  configuration: recordId.optional(),
});
