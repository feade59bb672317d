import { z } from "@hono/zod-openapi";
import { callForm, type ExplainedCall, type ScopeView } from "./scope-view.ts";
import { finding, findingShape, type Sent, texts } from "../../core/schema.ts";

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
    findings: z
      .array(findingShape.extend({ skill: z.string().optional(), reason: z.string().optional() }))
      .readonly()
      .describe("Errors first: with any, the set cannot be used."),
  })
  .openapi("ScopeView") satisfies z.ZodType<Sent<ScopeView>>;

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
  .openapi("ExplainedCall") satisfies z.ZodType<Sent<ExplainedCall>>;

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
