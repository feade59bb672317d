import { z } from "@hono/zod-openapi";
import type { Finding } from "../../core/finding.ts";
import type { ScopeError } from "../../scope/registry.ts";
import { callForm } from "./scope-view.ts";
import { finding, findingShape, texts } from "../../core/schema.ts";

/** A finding says which skill it is about, and the reason, where it stands for an error (SC-4). */
type ScopeFinding = Finding & Partial<Pick<ScopeError, "skill" | "reason">>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod's own type has both an absent field and undefined
const scopeFinding = findingShape.extend({
  skill: z.string().optional(),
  reason: z.string().optional(),
}) as z.ZodType as z.ZodType<ScopeFinding>;

/** What `scope compose` answers with. Skills are named as briefly as they can be told apart. */
export const scopeView = z
  .object({
    skills: texts,
    allowed: texts,
    forbidden: texts,
    protocol: texts.describe("Steps that the skills ask for."),
    groups: z
      .array(z.object({ skills: texts, allowed: z.union([z.literal("*"), texts]) }))
      .readonly()
      .describe("Every group has to allow a call."),
    tools: z
      .array(z.object({ name: z.string(), decision: z.enum(["allow", "deny"]), why: z.string() }))
      .readonly()
      .describe("Every tool of the host, or that the skills name."),
    findings: z.array(scopeFinding).readonly().describe("Errors first: with any, the set cannot be used."),
  })
  .openapi("ScopeView");

export type ScopeView = Readonly<z.infer<typeof scopeView>>;

/** What the gate says to one call, and what each part of the scope says to it. */
export const explainedCall = z
  .object({
    call: z.string(),
    decision: z.enum(["allow", "ask", "deny"]),
    code: z.enum(["TOOL_FORBIDDEN", "TOOL_NOT_ALLOWED"]).nullable(),
    why: z.string(),
    argv: texts.nullable().describe("What would be run in place of a shell."),
    groups: z.array(z.object({ skills: texts, fits: z.string().nullable() })).readonly(),
    forbidden: z.array(z.object({ entry: z.string(), by: texts })).readonly(),
    findings: z.array(finding).readonly(),
  })
  .openapi("ExplainedCall");

export type ExplainedCall = Readonly<z.infer<typeof explainedCall>>;

const asked = {
  skills: z.array(z.string().min(1).max(1024)).max(64).describe("By id, name or `source/name`; built-in ones too."),
  strict: z.boolean().optional().describe("A skill that says nothing of tools allows none."),
  tools: z
    .array(z.string().min(1).max(256))
    .min(1)
    .max(500)
    .optional()
    .describe("The host's tools; without them those that the skills name."),
};

export const scopeAsked = z.strictObject(asked);

export const callAsked = z.strictObject({
  ...asked,
  call: z
    .string()
    .regex(callForm, "must be a tool's name, or with an argument: Bash(git status)")
    .describe("`Bash(git status)`, `Edit(src/a.ts)`, `WebFetch`."),
});
