import { z } from "@hono/zod-openapi";
import { count, moment, sentence } from "../../core/schema.ts";
import { childOutcomes } from "../../sources/marketplace/children.ts";
import { source, sourceChange } from "../../sources/schema.ts";
import { usualTrust } from "../../sources/trust.ts";
import { errorCode } from "../http/words.ts";
import { finding } from "../../core/schema.ts";
import { isAsked, sourceId } from "../http/query.ts";
import { type Sent, texts } from "../../core/schema.ts";
import { state } from "../../registry/schema.ts";
import { trust } from "../../sources/schema.ts";
import type { AddReport, SourceAddition } from "./add.ts";
import type { SourceLine, SourceView } from "./flow.ts";
import type { SyncReport } from "./sync.ts";

const sourceLineFields = {
  source,
  states: z.partialRecord(state, count).describe("How many of its skills are in which state."),
};

const sourceLine = z.object(sourceLineFields).openapi("SourceLine") satisfies z.ZodType<SourceLine>;

const name = sentence.min(1).max(256);

export const sourceLines = z.array(sourceLine).readonly();

export const droppedSource = z.object({
  source: z.string(),
  orphaned: count.describe("How many skills went out of use with it."),
});

const pluginFields = {
  name: z.string(),
  outcome: z.enum(childOutcomes),
  where: z.string().nullable(),
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  skills: count,
  reason: z.string().nullable(),
};

export const sourceView = z
  .object({
    ...sourceLineFields,
    plugins: z
      .array(z.object(pluginFields).openapi("Plugin"))
      .readonly()
      .describe("Of a marketplace: what became of each of its plugins at the last sync."),
  })
  .openapi("SourceView") satisfies z.ZodType<SourceView>;

const child = z.object({
  ...pluginFields,
  repositoryId: z.number().nullable(),
  ownerId: z.number().nullable(),
  settled: z.string().nullable(),
  under: z.string().nullable(),
  paths: texts,
  trees: z.string().nullable(),
});

export const syncResult = z
  .object({
    source: z.string(),
    status: z.enum(["ok", "partial"]),
    created: count,
    updated: count,
    unchanged: count,
    disabledOnChange: count,
    held: count,
    orphaned: count,
    blocked: count,
    rescanned: count,
    requests: count,
    bytes: count,
    limitedUntil: moment.nullable(),
    findings: z.array(finding).readonly(),
    pin: z.string().nullable(),
    children: z.array(child).readonly().nullable(),
  })
  .openapi("SyncResult");

export const syncFailure = z
  .object({
    source: z.string(),
    status: z.literal("error"),
    error: z.object({ code: errorCode, message: z.string() }),
  })
  .openapi("SyncFailure");

const syncReportFields = {
  results: z.array(z.union([syncResult, syncFailure])).readonly(),
  waiting: count.describe("How many skills wait for somebody's word, in all sources."),
};

export const syncReport = z.object(syncReportFields).openapi("SyncReport") satisfies z.ZodType<Sent<SyncReport>>;

export const addReport = z
  .object({
    ...syncReportFields,
    source,
    approved: z.object({ entry: z.string(), digest: z.string() }).nullable(),
    notApproved: z.string().nullable().describe("Why nothing was approved although it was asked for."),
  })
  .openapi("AddReport") satisfies z.ZodType<Sent<AddReport>>;

export const sourceAdded = z.strictObject({
  place: sentence
    .min(1)
    .describe("`owner/repo`, an address at GitHub, or the whole path of a folder on the server's machine."),
  ...sourceChange.shape,
  trust: trust.optional().describe(`\`${usualTrust}\` when nothing is said.`),
  id: sourceId.optional(),
  sync: z.boolean().optional().describe("False: only add it, read nothing yet."),
  ref: name.optional().describe("A branch, a tag, or a commit by all its digits."),
  kind: z.enum(["file", "repo", "marketplace"]).optional(),
  hosts: name.optional().describe("Which GitHub a short form means."),
  approve: z.boolean().optional().describe("Of one skill: approve the very digest that is read now."),
}) satisfies z.ZodType<SourceAddition & { place: string }>;

export const syncQuery = z.strictObject({
  repair: isAsked.describe("Write every revision again, also those that are kept already."),
});
