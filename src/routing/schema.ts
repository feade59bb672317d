import { z } from "zod";
import { count, moment, texts } from "../core/schema.ts";
import type { RoutingReport } from "./evaluation/report.ts";

/** The phrases by which an admin wants an entry found, whatever its trust (RT-2). */
export const triggers = z.object({ entry: z.string(), phrases: texts }).meta({ id: "Triggers" });

export type Triggers = Readonly<z.infer<typeof triggers>>;

const ratio = z.number().min(0).max(1);
const interval = z
  .tuple([ratio, ratio])
  .readonly()
  .nullable()
  .describe("Where the true value lies in 95 of 100 cases.");
const recall = z.record(z.string(), ratio).describe("The share that has a right one among the first so many.");
const entry = z.string();

const point = z.object({ threshold: z.number(), coverage: ratio, falseFires: ratio.nullable() });
const rankingIntervals = z.object({ p1: interval, mrr: interval });

/** A query of the set: where it stood, and what it said. */
const query = { at: z.string(), query: z.string() };
const note = z.string().nullable();

/**
 * Untrusted throughout: queries, names and reasons are texts of others. The package hands out the type, so that is
 * written out.
 */
export const routingReport = z
  .object({
    n: count,
    positives: count,
    k: count,
    p1: ratio,
    mrr: ratio,
    recall,
    intervals: rankingIntervals,
    p1WithLookAlikes: ratio,
    answered: z.object({ n: count, p1: ratio.nullable(), interval }),
    abstention: z.object({
      negatives: count,
      falseFires: ratio.nullable(),
      fired: count,
      coverage: ratio,
      floor: z.number(),
      intervals: z.object({ falseFires: interval, coverage: interval }),
      atCoverage80: point.nullable(),
    }),
    curve: z.object({ points: z.array(point).readonly(), default: point }),
    byKind: z.record(z.string(), z.object({ n: count, p1: ratio, mrr: ratio, recall, intervals: rankingIntervals })),
    latencyMs: z.object({
      p50: z.number(),
      p99: z.number(),
      histogram: z.array(z.object({ from: z.number(), to: z.number(), count })).readonly(),
    }),
    index: z.object({
      skills: count,
      buildMs: z.number().nullable(),
      loadMs: z.number().nullable(),
      bytes: z.number().nullable(),
    }),
    perSkill: z.array(z.object({ skill: entry, n: count, p1: ratio, mrr: ratio })).readonly(),
    confusions: z
      .array(z.object({ expected: entry, chosen: entry, count, words: texts, alike: z.boolean() }))
      .readonly(),
    misses: z
      .array(
        z.object({
          ...query,
          kind: note,
          note,
          expected: texts,
          rank: count.nullable(),
          chosen: entry.nullable(),
          confidence: ratio.nullable(),
          link: z.string().nullable(),
          why: z.string(),
          abstained: z.boolean(),
          alike: z.boolean(),
        }),
      )
      .readonly(),
    fires: z
      .array(z.object({ ...query, note, chosen: entry, confidence: ratio, link: z.string(), why: z.string() }))
      .readonly(),
    withheld: z.array(z.object({ ...query, expected: entry, confidence: ratio })).readonly(),
  })
  .meta({ id: "RoutingReport" }) satisfies z.ZodType<RoutingReport>;

/** A run that was kept (RT-8): who measured what, when, at which generation, and how it went. */
/** A run that was kept (RT-8): who measured what, when, at which generation, and how it went. */
export const evaluationLine = z
  .object({
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
  })
  .meta({ id: "EvaluationLine" });

export type EvaluationLine = Readonly<z.infer<typeof evaluationLine>>;
