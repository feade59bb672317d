import { z } from "@hono/zod-openapi";
import type { SkillText } from "../../../app/skill-text.ts";
import type { Skills, SkillView } from "../../../app/skills.ts";
import { finding } from "../schemas.ts";
import {
  decision,
  digest,
  entryLine,
  entryLineFields,
  isAsked,
  pageFields,
  pageQuery,
  sourceId,
  state,
  texts,
  type Sent,
  typedDigest,
} from "./registry.ts";
import { provenanceView, reasons, revisionView } from "./revisions.ts";

const findings = z.array(finding).readonly();

export const skillsQuery = z.strictObject({
  state: state.optional(),
  usable: isAsked.describe("Only what may be used now: a revision of it is approved, be it held or not."),
  source: sourceId.optional(),
  q: z.string().max(200).optional().describe("A part of the name, the id or the description, in whatever case."),
  ...pageQuery,
});

export const skills = z.object({ ...pageFields(entryLine), noticed: findings }).openapi("Skills") satisfies z.ZodType<
  Sent<Skills>
>;

export const skillView = z
  .object({
    ...entryLineFields,
    revision: revisionView.describe("The one in use; without one, the current one."),
    reasons,
    granted: texts.describe("The tools that are pre-approved by the word in force."),
    provenance: provenanceView,
    decisions: z.array(decision).readonly(),
    attachedTo: texts,
    noticed: findings,
  })
  .openapi("Skill") satisfies z.ZodType<Sent<SkillView>>;

export const textQuery = z.strictObject({
  digest: typedDigest.optional().describe("Without one: the revision in use, or else the current one."),
  file: z.string().min(1).max(2000).optional().describe("`SKILL.md` when nothing is said."),
});

export const skillText = z
  .object({
    digest,
    path: z.string(),
    text: z.string().nullable().describe("As it is written: untrusted, never to be shown unsanitised."),
    reason: z.string().nullable().describe("Why there is no text."),
  })
  .openapi("SkillText") satisfies z.ZodType<SkillText>;

export const diffQuery = z.strictObject({
  from: typedDigest.optional().describe("Without one: the revision in use, or else the one approved last."),
  to: typedDigest.optional().describe("Without one: the current revision."),
});
