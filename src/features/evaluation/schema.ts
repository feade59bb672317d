import { z } from "@hono/zod-openapi";
import { evaluationLine, routingReport } from "../../routing/schema.ts";
import { mostInGolden } from "./golden.ts";
import { text } from "../http/words.ts";
import { wholeNumber } from "../http/query.ts";

export const evaluationPage = z
  .object({
    items: z.array(evaluationLine).readonly().describe("The latest first."),
    next: z.string().nullable().describe("To be sent as `before`; null when no earlier one is kept."),
  })
  .openapi("EvaluationPage");

export type EvaluationPage = Readonly<z.infer<typeof evaluationPage>>;

export const evaluationView = evaluationLine.extend({ report: routingReport }).openapi("EvaluationView");

export type EvaluationView = Readonly<z.infer<typeof evaluationView>>;

const name = text.min(1).max(mostInGolden.name);
const names = z.union([name, z.array(name).min(1).max(mostInGolden.names)]);

/** A line of a golden file; what it may hold is said by whoever reads those. */
const goldenLine = z
  .strictObject({
    query: text.min(1).max(mostInGolden.query),
    expected: names.nullable().optional().describe("A skill, several of which any is right, or null: none fits."),
    not: names.optional().describe("Instead of `expected`: what must not come first."),
    kind: text.max(mostInGolden.kind).nullable().optional(),
    note: text.max(mostInGolden.note).nullable().optional(),
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
