import { z } from "@hono/zod-openapi";
import type { RemovedDemonstration } from "../../../app/demonstration.ts";
import type { Overview } from "../../../app/overview.ts";
import { finding } from "../schemas.ts";
import { auditRecord } from "./audit.ts";
import { count, type Sent } from "./registry.ts";
import { usageDay } from "./usage.ts";

const kind = z.enum(["audit", "review", "source", "configuration", "task", "store", "usage", "api"]);
const on = z.object({ kind, id: z.string().nullable() }).describe("What it is about; without an id, all of them.");

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
  .openapi("Overview") satisfies z.ZodType<Sent<Overview>>;

const part = z.enum(["source", "key", "configuration", "provider"]);

export const removedDemonstration = z
  .object({
    removed: z.array(part).readonly(),
    kept: z.array(z.object({ part, why: z.string() })).readonly(),
  })
  .openapi("RemovedDemonstration") satisfies z.ZodType<RemovedDemonstration>;
