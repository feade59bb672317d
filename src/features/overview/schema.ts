import { z } from "@hono/zod-openapi";
import { count, finding } from "../../core/schema.ts";
import { auditRecord } from "../../registry/schema.ts";
import { usageDay } from "../usage/schema.ts";

const kind = z.enum(["audit", "review", "source", "configuration", "task", "store", "usage", "api"]);
const on = z.object({ kind, id: z.string().nullable() }).describe("What it is about; without an id, all of them.");

/** What something is about: where to look is for whoever shows it to know. */
export type Subject = Readonly<z.infer<typeof on>>;

/** What needs somebody today (SV-3). */
export const overview = z
  .object({
    generation: count,
    counts: z.object({ waiting: count, blocked: count, enabled: count, skills: count, sources: count }),
    attention: z
      .array(z.object({ level: z.enum(["bad", "warn", "info"]), title: z.string(), about: z.string(), on }))
      .readonly()
      .describe("What to do, the most pressing first."),
    tour: z
      .array(z.object({ title: z.string(), about: z.string(), on: kind, done: z.boolean() }))
      .readonly()
      .nullable()
      .describe("The first steps; null once all were taken."),
    hasDemonstration: z.boolean(),
    recent: z.array(auditRecord).readonly(),
    usage: z.array(usageDay).readonly(),
    noticed: z.array(finding).readonly(),
  })
  .openapi("Overview");

export type Overview = z.infer<typeof overview>;

const part = z.enum(["source", "key", "configuration", "provider"]);

export const removedDemonstration = z
  .object({
    removed: z.array(part).readonly(),
    kept: z.array(z.object({ part, why: z.string() })).readonly(),
  })
  .openapi("RemovedDemonstration");

export type RemovedDemonstration = z.infer<typeof removedDemonstration>;
