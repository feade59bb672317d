import { z } from "@hono/zod-openapi";
import type { EvaluationPage, EvaluationView } from "./evaluations.ts";
import { text } from "../http/words.ts";
import { count, moment, type Sent } from "../../core/schema.ts";
import { wholeNumber } from "../http/query.ts";
import { routingReport } from "./schema-report.ts";

const ratio = z.number().min(0).max(1);

const lineFields = {
  id: z.string(),
  at: moment,
  by: z.string(),
  title: z.string(),
  generation: count,
  figures: z.object({
    queries: count,
    pAt1: ratio,
    mrr: ratio,
    coverage: ratio.describe("The share of queries that want a skill and got one."),
    falseFires: ratio.nullable().describe("The share of negatives that got a wrong one; null: there were none."),
  }),
};

export const evaluationPage = z
  .object({
    items: z.array(z.object(lineFields).openapi("EvaluationLine")).readonly().describe("The latest first."),
    next: z.string().nullable().describe("To be sent as `before`; null when no earlier one is kept."),
  })
  .openapi("EvaluationPage") satisfies z.ZodType<Sent<EvaluationPage>>;

export const evaluationView = z
  .object({ ...lineFields, report: routingReport })
  .openapi("EvaluationView") satisfies z.ZodType<Sent<EvaluationView>>;

const names = z.union([text.min(1).max(1024), z.array(text.min(1).max(1024)).min(1).max(1000)]);

/** A line of a golden file; what it may hold is said by whoever reads those. */
const goldenLine = z
  .strictObject({
    query: text.min(1).max(65_536),
    expected: names.nullable().optional().describe("A skill, several of which any is right, or null: none fits."),
    not: names.optional().describe("Instead of `expected`: what must not come first."),
    kind: text.max(32).nullable().optional(),
    note: text.max(1000).nullable().optional(),
  })
  .openapi("GoldenLine");

export const evaluationAsked = z.strictObject({
  title: text.min(1).max(480),
  golden: z.array(goldenLine).min(1).max(2000),
});

export const evaluationsQuery = z.strictObject({
  before: z.string().max(128).optional().describe("`next` of the page before."),
  limit: wholeNumber(1, 500).optional().describe("50 when nothing is said."),
});
