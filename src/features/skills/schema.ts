import { z } from "@hono/zod-openapi";
import { count, digest, finding, level, moment, texts } from "../../core/schema.ts";
import { bundleDiff } from "../../diff/schema.ts";
import { decision, state } from "../../registry/schema.ts";
import { kinds } from "../../skill/manifest.ts";
import { trust } from "../../sources/schema.ts";
import { sourceKinds } from "../../sources/source.ts";
import { isAsked, pageFields, pageQuery, sourceId, typedDigest } from "../http/query.ts";

const findings = z.array(finding).readonly();

/** One entry as lists show it. */
export const entryLine = z
  .object({
    entry: z.string(),
    name: z.string(),
    state,
    inUse: digest.nullable().describe("The approved revision that may be used; null: none."),
    reason: z.string(),
    current: digest.describe("What its source holds now, or held last."),
    source: z.string(),
    trust: trust.nullable().describe("Null when the source is not there any more."),
    findings: z.partialRecord(level, count).describe("How many findings of which level."),
  })
  .openapi("EntryLine");

export type EntryLine = z.infer<typeof entryLine>;

export const skillsQuery = z.strictObject({
  state: state.optional(),
  usable: isAsked.describe("Only what may be used now: a revision of it is approved, be it held or not."),
  source: sourceId.optional(),
  q: z.string().max(200).optional().describe("A part of the name, the id or the description, in whatever case."),
  ...pageQuery,
});

export type SkillsWanted = Readonly<z.infer<typeof skillsQuery>>;

/** `noticed`: what was noticed about the registry itself: words that do not fit, rows that were changed by hand. */
export const skills = z.object({ ...pageFields(entryLine), noticed: findings }).openapi("Skills");

export type Skills = z.infer<typeof skills>;

/** RV-6 */
export const reasons = z
  .record(z.string(), z.string())
  .readonly()
  .describe("Why each kind of finding matters, by its code.");

export type Reasons = z.infer<typeof reasons>;

/** One revision as it is shown: its files are there only when every byte of it was verified just now. */
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
    // CO-5
    inPrompts: z
      .object({
        replaced: z.array(z.object({ path: z.string(), line: count })).readonly(),
        defused: z.array(count).readonly(),
      })
      .nullable()
      .describe("What a prompt shows otherwise than it is written; null when it cannot be read."),
  })
  .openapi("Revision");

export type RevisionView = z.infer<typeof revisionView>;

/** Where a skill comes from, and which links of the way from there to its bytes were proven (RV-4, IN-8). */
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
  .openapi("Provenance");

export type ProvenanceView = z.infer<typeof provenanceView>;

export const skillView = z
  .object({
    ...entryLine.shape,
    revision: revisionView.describe("The one in use; without one, the current one."),
    reasons,
    granted: texts.describe("The tools that are pre-approved by the word in force."),
    provenance: provenanceView,
    decisions: z.array(decision).readonly(),
    attachedTo: texts,
    noticed: findings,
  })
  .openapi("Skill");

export type SkillView = z.infer<typeof skillView>;

export const textQuery = z.strictObject({
  digest: typedDigest.optional().describe("Without one: the revision in use, or else the current one."),
  file: z.string().min(1).max(2000).optional().describe("`SKILL.md` when nothing is said."),
});

export type TextWanted = Readonly<z.infer<typeof textQuery>>;

export const skillText = z
  .object({
    digest,
    path: z.string(),
    text: z.string().nullable().describe("As it is written: untrusted, never to be shown unsanitised."),
    reason: z.string().nullable().describe("Why there is no text."),
  })
  .openapi("SkillText");

export type SkillText = z.infer<typeof skillText>;

/** Two revisions that the entry has or had, by their digests or the first digits of them. */
export const diffQuery = z.strictObject({
  from: typedDigest.optional().describe("Without one: the revision in use, or else the one approved last."),
  to: typedDigest.optional().describe("Without one: the current revision."),
});

export type DiffWanted = Readonly<z.infer<typeof diffQuery>>;

/** What one revision changes against another; as a rule, the current one (RV-4). */
export const skillDiff = z
  .object({
    entry: z.string(),
    from: z
      .object({ digest, is: z.enum(["in use", "last approved", "chosen"]) })
      .nullable()
      .describe("Null when nothing of it was ever approved: then all of it is new."),
    to: digest,
    ...bundleDiff.shape,
    tampering: findings,
  })
  .openapi("SkillDiff");

export type SkillDiff = z.infer<typeof skillDiff>;

const revisionLine = z
  .object({
    digest,
    commit: z.string().nullable(),
    seenAt: moment,
    current: z.boolean(),
    inUse: z.boolean(),
    decisions: z.array(decision.pick({ word: true, by: true, at: true, note: true })).readonly(),
  })
  .openapi("RevisionLine");

export type RevisionLine = z.infer<typeof revisionLine>;

export const revisions = z
  .object({ entry: z.string(), revisions: z.array(revisionLine).readonly() })
  .openapi("Revisions");
