import { z } from "@hono/zod-openapi";
import { isAsked } from "../http/query.ts";

/** One thing that was looked at: how it is in one line, and what to do. */
const check = z.object({
  name: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  says: z.string(),
  todo: z.string().nullable().describe("What to do; null: nothing."),
});

export type Check = Readonly<z.infer<typeof check>>;

export const diagnosis = z
  .object({
    passes: z.boolean().describe("Nothing to do."),
    checks: z.array(check).readonly(),
  })
  .openapi("Diagnosis");

export type Diagnosis = Readonly<z.infer<typeof diagnosis>>;

export const doctorQuery = z.strictObject({
  offline: isAsked.describe("Ask no GitHub and no model service how it is."),
});
