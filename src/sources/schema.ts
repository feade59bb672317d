import { z } from "zod";
import { count, moment, sentence, texts } from "../core/schema.ts";
import { childOutcomes } from "./marketplace/children.ts";
import { intervals, mostBounds, onChanges, sourceKinds, syncStatuses } from "./source.ts";
import { trusts } from "./trust.ts";

const name = sentence.min(1).max(256);

/** The most one sync may read (IN-16). */
const syncBounds = z.object({ files: count, seconds: count, bytes: count }).readonly();

export type SyncBounds = z.infer<typeof syncBounds>;

export const trust = z.enum(trusts);

/** What people set about a source; syncs manage the rest (RV-12). A new setting begins here. */
const sourceSettings = z.object({
  title: name,
  trust,
  onChange: z.enum(onChanges),
  expectedFingerprint: z.string().nullable(),
  bounds: syncBounds.nullable(),
  enabled: z.boolean(),
  interval: z
    .number()
    .int()
    .min(intervals.least)
    .max(intervals.most)
    .nullable()
    .describe("Seconds between scheduled syncs; null: only when asked."),
  include: z
    .array(z.string().min(1).max(1024))
    .min(1)
    .max(5000)
    .readonly()
    .nullable()
    .describe("Folders of a repository, or plugins of a marketplace; null: all."),
  tokenForOwner: z
    .boolean()
    .describe("Whether repositories of the same owner that a marketplace names get the token too."),
});

export type SourceSettings = Readonly<z.infer<typeof sourceSettings>>;

/** What syncs of a remote source remember of it. Nobody is trusted by it: without it a sync asks for everything anew. */
const remoteState = z
  .object({
    defaultBranch: z.string().nullable(),
    ref: z.string().nullable().describe("As it was resolved: `heads/…`, `tags/…` or 40 hex."),
    // Of the last answers, so that an unchanged source costs two requests (IN-11).
    etags: z.object({ repository: z.string().nullable(), commit: z.string().nullable() }).readonly(),
    complete: z
      .string()
      .nullable()
      .describe("What the last complete sync stood on: commit, settings, how many skills."),
    unread: texts.describe("Paths of skills that can never be read as a whole, such as those that are too large."),
    proof: z
      .object({
        commit: z.enum(["hashed", "by API"]),
        reachable: z.string().nullable().describe("The branch or tag from which the pin can be reached (T10)."),
      })
      .readonly()
      .nullable(),
  })
  .readonly();

export type RemoteState = z.infer<typeof remoteState>;

/** A place skills come from, as it is kept (IN-1). What only remote kinds have is null for a folder. */
export const source = z
  .object({
    id: z.string(),
    ...sourceSettings.shape,
    title: z.string(),
    kind: z.enum(sourceKinds),
    url: z.string().describe("For a folder: its real path."),
    ref: z.string().nullable(),
    pin: z.string().nullable().describe("The commit that it stands on."),
    tokenRef: z.string().nullable().describe("Null: it has no token. The token itself is never shown."),
    hosts: z.string().nullable(),
    repositoryId: z.number().nullable(),
    ownerId: z.number().nullable(),
    dueAt: moment.nullable(),
    approveOnAdd: z.boolean(),
    cursor: z.string().nullable(),
    remote: remoteState.nullable(),
    status: z.enum(syncStatuses),
    error: z.string().nullable(),
    syncedAt: moment.nullable(),
    addedBy: z.string(),
    seal: z.string().describe("Over what people set."),
  })
  .meta({ id: "Source" });

export type Source = Readonly<z.infer<typeof source>>;

const { expectedFingerprint: _, bounds: __, ...plainSettings } = sourceSettings.shape;

/** What a person may ask of a source; what is not said stays as it is. */
export const sourceChange = z.strictObject({
  ...z.object(plainSettings).partial().shape,
  fingerprint: z.string().length(64).nullable().optional().describe("Null: none is expected any more."),
  maxFiles: z.number().int().min(1).max(mostBounds.files).optional(),
  maxSeconds: z.number().int().min(1).max(mostBounds.seconds).optional(),
  maxBytes: z.number().int().min(1).max(mostBounds.bytes).optional(),
  token: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .optional()
    .describe("Kept encrypted and never read back; null: none any more."),
});

export type SourceChange = Readonly<z.infer<typeof sourceChange>>;

/** What people pick from in a marketplace: one plugin, and what became of it at the last sync. */
export const pluginFields = {
  name: z.string(),
  outcome: z.enum(childOutcomes),
  // `owner/repo/path`; of one that cannot be followed any more, where it was; null: that was never known.
  where: z.string().nullable(),
  // What it is pinned to; null where that is not known.
  commit: z.string().nullable(),
  // What was followed to its commit, as `renderRef` writes it: the commit of another one says nothing of this (T11).
  ref: z.string().nullable(),
  skills: count,
  reason: z.string().nullable(),
};

/** Kept with the source: where a sync that was stopped goes on, and what a person picks from. */
export const child = z.object({
  ...pluginFields,
  repositoryId: z.number().nullable(),
  ownerId: z.number().nullable(),
  // The commit of this ref at which all of it was last read; null: there is none.
  settled: z.string().nullable(),
  // Under which settings that was: with others there may be more or less of it. Null: not all of it was read last.
  under: z.string().nullable(),
  // The skills that were there then, by their paths in the source; or below where those are that are here of it.
  paths: texts,
  // Which trees those were, all together: others may have come to their paths from another plugin (IN-18).
  trees: z.string().nullable(),
});

export type ChildState = Readonly<z.infer<typeof child>>;

/** How far a reading has come (IN-23). */
export const progress = z.object({
  done: count,
  total: count,
  of: z.enum(["skills", "files", "plugins"]),
  bytes: count,
  left: count.nullable().describe("How many requests the service still allows; null where nobody counts."),
});

export type Progress = Readonly<z.infer<typeof progress>>;
