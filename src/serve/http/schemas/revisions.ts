import { z } from "@hono/zod-openapi";
import type { RevisionView } from "../../../app/entry-view.ts";
import type { ProvenanceView } from "../../../app/provenance-view.ts";
import type { RevisionLine, SkillDiff } from "../../../app/revisions.ts";
import { kinds } from "../../../ingest/skill/manifest.ts";
import { sourceKinds } from "../../../ingest/source/source.ts";
import type { VisibleFile } from "../../../review/visible.ts";
import { finding } from "../schemas.ts";
import { count, decision, digest, moment, type Sent, texts } from "./registry.ts";

/** Revisions, what they hold and what one changes against another: for reviews and skills alike (RV-4). */

const findings = z.array(finding).readonly();

export const reasons = z
  .record(z.string(), z.string())
  .readonly()
  .describe("Why each kind of finding matters, by its code.");

export const revisionView = z
  .object({
    digest,
    name: z.string(),
    description: z.string(),
    kind: z.enum(kinds).nullable(),
    loadable: z.boolean(),
    strict: z.boolean(),
    support: z.enum(["full", "partial"]).nullable(),
    grants: texts.describe("The tools that it asks to have pre-approved."),
    findings,
    capabilities: z.object({ secrets: texts, network: texts, shell: texts }),
    scanner: z.string(),
    files: z.array(z.object({ path: z.string(), digest: z.string(), size: count })).readonly(),
    tampering: findings.describe("Bytes or rows that are not what they were when they came in."),
    inPrompts: z
      .object({
        replaced: z.array(z.object({ path: z.string(), line: count })).readonly(),
        defused: z.array(count).readonly(),
      })
      .nullable()
      .describe("What a prompt shows otherwise than it is written; null when it cannot be read."),
  })
  .openapi("Revision") satisfies z.ZodType<Sent<RevisionView>>;

export const provenanceView = z
  .object({
    kind: z.enum(sourceKinds).nullable(),
    url: z.string().nullable(),
    path: z.string(),
    commit: z.string().nullable(),
    repositoryId: z.number().nullable(),
    firstSeen: moment.nullable(),
    lastChanged: moment.nullable(),
    links: z
      .array(z.object({ what: z.string(), proven: z.boolean() }))
      .readonly()
      .describe("The links from the bytes to their source, the nearest first."),
  })
  .openapi("Provenance") satisfies z.ZodType<ProvenanceView>;

const piece = z
  .object({
    text: z.string(),
    mark: z.enum(["same", "changed"]),
    hidden: z.boolean().describe("It stands for what cannot be seen, or is not what it looks like."),
  })
  .openapi("Piece");

const pieces = z.array(piece).readonly();

export const visibleFile = z
  .object({ path: z.string(), lines: z.array(pieces).readonly().nullable().describe("Null: it is not text.") })
  .openapi("VisibleFile") satisfies z.ZodType<VisibleFile>;

const line = z.object({
  kind: z.enum(["same", "added", "removed"]),
  before: z.number().int().nullable(),
  after: z.number().int().nullable(),
  pieces,
});

const version = z.object({ digest: z.string(), size: count });

const fileDiff = z
  .object({
    path: z.string(),
    change: z.enum(["added", "removed", "changed", "renamed"]),
    from: z.string().nullable(),
    before: version.nullable(),
    after: version.nullable(),
    shows: z.enum(["text", "endings", "bytes", "same"]),
    hunks: z.array(z.object({ lines: z.array(line).readonly() })).readonly(),
    added: count,
    removed: count,
    left: count,
    notes: texts,
  })
  .openapi("FileDiff");

const delta = z
  .object({
    kind: z.enum(["host", "command", "secret", "tool", "description", "hidden", "finding", "file", "scope"]),
    change: z.enum(["added", "removed", "changed"]),
    what: z.string(),
    at: z.object({ file: z.string(), line: z.number().int() }).nullable(),
  })
  .openapi("Delta");

const field = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });

export const skillDiff = z
  .object({
    entry: z.string(),
    from: z
      .object({ digest, is: z.enum(["in use", "last approved", "chosen"]) })
      .nullable()
      .describe("Null when nothing of it was ever approved: then all of it is new."),
    to: digest,
    files: z.array(fileDiff).readonly(),
    unchanged: count,
    fields: z.array(field).readonly(),
    tools: z.object({ added: texts, removed: texts }),
    delta: z.array(delta).readonly().describe("What matters for security, to be looked at first."),
    tampering: findings,
  })
  .openapi("SkillDiff") satisfies z.ZodType<Sent<SkillDiff>>;

const revisionLine = z
  .object({
    digest,
    commit: z.string().nullable(),
    seenAt: moment,
    current: z.boolean(),
    inUse: z.boolean(),
    decisions: z.array(decision.pick({ word: true, by: true, at: true, note: true })).readonly(),
  })
  .openapi("RevisionLine") satisfies z.ZodType<RevisionLine>;

export const revisions = z
  .object({ entry: z.string(), revisions: z.array(revisionLine).readonly() })
  .openapi("Revisions");
