import { z } from "zod";
import { count, moment, sentence, texts } from "../core/schema.ts";
import { intervals, mostBounds, onChanges, type RemoteState, sourceKinds, syncStatuses } from "./source.ts";
import { trusts } from "./trust.ts";

const name = sentence.min(1).max(256);

const syncBounds = z.object({ files: count, seconds: count, bytes: count }).readonly();

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

const remoteState = z
  .object({
    defaultBranch: z.string().nullable(),
    ref: z.string().nullable().describe("As it was resolved: `heads/…`, `tags/…` or 40 hex."),
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
  .readonly() satisfies z.ZodType<RemoteState>;

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
