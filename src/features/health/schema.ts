import { z } from "@hono/zod-openapi";
import type { Diagnosis } from "./doctor/doctor.ts";
import { isAsked } from "../http/query.ts";

export const diagnosis = z
  .object({
    passes: z.boolean().describe("Nothing to do."),
    checks: z
      .array(
        z.object({
          name: z.string(),
          state: z.enum(["ok", "warn", "fail"]),
          says: z.string(),
          todo: z.string().nullable().describe("What to do; null: nothing."),
        }),
      )
      .readonly(),
  })
  .openapi("Diagnosis") satisfies z.ZodType<Diagnosis>;

export const doctorQuery = z.strictObject({
  offline: isAsked.describe("Ask no GitHub and no model service how it is."),
});
