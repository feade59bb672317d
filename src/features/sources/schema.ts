import { z } from "@hono/zod-openapi";
import { count, sentence } from "../../core/schema.ts";
import { pluginFields, progress, source, sourceChange, trust } from "../../sources/schema.ts";
import { usualTrust } from "../../sources/trust.ts";
import { errorCode } from "../http/words.ts";
import { isAsked, sourceId } from "../http/query.ts";
import { state, syncResult } from "../../registry/schema.ts";

const sourceLineFields = {
  source,
  states: z.partialRecord(state, count).describe("How many of its skills are in which state."),
};

/** One source as lists show it. */
const sourceLine = z.object(sourceLineFields).openapi("SourceLine");

export type SourceLine = Readonly<z.infer<typeof sourceLine>>;

const name = sentence.min(1).max(256);

export const sourceLines = z.array(sourceLine).readonly();

export const droppedSource = z.object({
  source: z.string(),
  orphaned: count.describe("How many skills went out of use with it."),
});

export const sourceView = z
  .object({
    ...sourceLineFields,
    plugins: z
      .array(z.object(pluginFields).openapi("Plugin"))
      .readonly()
      .describe("Of a marketplace: what became of each of its plugins at the last sync."),
  })
  .openapi("SourceView");

export type SourceView = Readonly<z.infer<typeof sourceView>>;

/** A sync that could not be done: nothing of it was written. */
const syncFailure = z
  .object({
    source: z.string(),
    status: z.literal("error"),
    error: z.object({ code: errorCode, message: z.string() }),
  })
  .openapi("SyncFailure");

export type SyncFailure = Readonly<z.infer<typeof syncFailure>>;

/** `internal`: what nobody foresaw, for whoever looks on; whoever asked for the sync gets the error itself. */
const brokenSync = syncFailure
  .extend({ error: z.object({ code: z.enum([...errorCode.options, "internal"]), message: z.string() }) })
  .openapi("BrokenSync");

export type BrokenSync = Readonly<z.infer<typeof brokenSync>>;

/**
 * What happens on a running node while somebody looks, as it stands behind `data:`; behind `event:` is what it `is`.
 * Nothing here is needed to know the state: that is in the store.
 */
export const liveEvent = z
  .discriminatedUnion("is", [
    // Everything may have changed: whoever shows something reads it again.
    z.object({ is: z.literal("generation"), generation: count }),
    z.object({ is: z.literal("sync"), source: z.string(), progress: progress.nullable() }),
    z.object({ is: z.literal("synced"), source: z.string(), result: z.union([syncResult, brokenSync]) }),
  ])
  .openapi("LiveEvent");

export type LiveEvent = Readonly<z.infer<typeof liveEvent>>;

const syncReportFields = {
  results: z.array(z.union([syncResult, syncFailure])).readonly(),
  waiting: count.describe("How many skills wait for somebody's word, in all sources."),
};

export const syncReport = z.object(syncReportFields).openapi("SyncReport");

export type SyncReport = Readonly<z.infer<typeof syncReport>>;

export const addReport = z
  .object({
    ...syncReportFields,
    source,
    approved: z.object({ entry: z.string(), digest: z.string() }).nullable(),
    notApproved: z.string().nullable().describe("Why nothing was approved although it was asked for."),
  })
  .openapi("AddReport");

export type AddReport = Readonly<z.infer<typeof addReport>>;

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
});

/** What a person says when a source is added, beside where it is. */
export type SourceAddition = Readonly<Omit<z.infer<typeof sourceAdded>, "place">>;

export const syncQuery = z.strictObject({
  repair: isAsked.describe("Write every revision again, also those that are kept already."),
});
