import { z } from "@hono/zod-openapi";
import type { AddReport, AddWishes } from "../../../app/add-source.ts";
import type { SourceWishes } from "../../../app/source-settings.ts";
import type { SourceLine, SourceView } from "../../../app/sources.ts";
import type { SyncReport } from "../../../app/syncs.ts";
import { childOutcomes } from "../../../ingest/source/children.ts";
import { intervals, mostBounds, onChanges, sourceKinds } from "../../../ingest/source/source.ts";
import { usualTrust } from "../../../ingest/source/trust.ts";
import { errorCode, finding } from "../schemas.ts";
import { count, isAsked, moment, sentence, sourceId, state, texts, trust, type Sent } from "./registry.ts";

const bounds = z.object({ files: count, seconds: count, bytes: count });

const remote = z.object({
  defaultBranch: z.string().nullable(),
  ref: z.string().nullable(),
  etags: z.object({ repository: z.string().nullable(), commit: z.string().nullable() }),
  complete: z.string().nullable(),
  unread: texts,
  proof: z.object({ commit: z.enum(["hashed", "by API"]), reachable: z.string().nullable() }).nullable(),
});

const source = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(sourceKinds),
    url: z.string(),
    ref: z.string().nullable(),
    pin: z.string().nullable().describe("The commit that it stands on."),
    tokenRef: z.string().nullable().describe("Null: it has no token. The token itself is never shown."),
    tokenForOwner: z.boolean(),
    trust,
    onChange: z.enum(onChanges),
    expectedFingerprint: z.string().nullable(),
    hosts: z.string().nullable(),
    repositoryId: z.number().nullable(),
    ownerId: z.number().nullable(),
    include: texts.nullable(),
    bounds: bounds.nullable(),
    interval: z.number().nullable().describe("Seconds between scheduled syncs; null: only when asked."),
    dueAt: moment.nullable(),
    approveOnAdd: z.boolean(),
    cursor: z.string().nullable(),
    remote: remote.nullable(),
    enabled: z.boolean(),
    status: z.enum(["never", "syncing", "ok", "partial", "error"]),
    error: z.string().nullable(),
    syncedAt: moment.nullable(),
    addedBy: z.string(),
    seal: z.string(),
  })
  .openapi("Source");

const sourceLineFields = {
  source,
  states: z.partialRecord(state, count).describe("How many of its skills are in which state."),
};

const sourceLine = z.object(sourceLineFields).openapi("SourceLine") satisfies z.ZodType<SourceLine>;

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

const name = sentence.min(1).max(256);

/** RV-12: all that a person may say of a source. What syncs manage is not among it, and is refused by name. */
const wishes = {
  title: name.optional(),
  trust: trust.optional(),
  onChange: z.enum(onChanges).optional(),
  fingerprint: z.string().length(64).nullable().optional().describe("Null: none is expected any more."),
  maxFiles: z.number().int().min(1).max(mostBounds.files).optional(),
  maxSeconds: z.number().int().min(1).max(mostBounds.seconds).optional(),
  maxBytes: z.number().int().min(1).max(mostBounds.bytes).optional(),
  enabled: z.boolean().optional(),
  interval: z
    .number()
    .int()
    .min(intervals.least)
    .max(intervals.most)
    .nullable()
    .optional()
    .describe("Seconds between scheduled syncs; null: only when asked."),
  include: z
    .array(z.string().min(1).max(1024))
    .min(1)
    .max(5000)
    .nullable()
    .optional()
    .describe("Folders of a repository, or plugins of a marketplace; null: all."),
  token: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .optional()
    .describe("Kept encrypted and never read back; null: none any more."),
  tokenForOwner: z.boolean().optional(),
} satisfies Record<keyof SourceWishes, z.ZodType>;

export const sourceChanged = z.strictObject(wishes) satisfies z.ZodType<SourceWishes>;

export const sourceAdded = z.strictObject({
  place: sentence
    .min(1)
    .describe("`owner/repo`, an address at GitHub, or the whole path of a folder on the server's machine."),
  ...wishes,
  trust: trust.optional().describe(`\`${usualTrust}\` when nothing is said.`),
  id: sourceId.optional(),
  sync: z.boolean().optional().describe("False: only add it, read nothing yet."),
  ref: name.optional().describe("A branch, a tag, or a commit by all its digits."),
  kind: z.enum(["file", "repo", "marketplace"]).optional(),
  hosts: name.optional().describe("Which GitHub a short form means."),
  approve: z.boolean().optional().describe("Of one skill: approve the very digest that is read now."),
}) satisfies z.ZodType<AddWishes & { place: string }>;

export const syncQuery = z.strictObject({
  repair: isAsked.describe("Write every revision again, also those that are kept already."),
});
