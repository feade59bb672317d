import { z } from "zod";
import { count, texts } from "../core/schema.ts";
import type { BundleDiff } from "./diff.ts";
import type { VisibleFile } from "./visible.ts";

/**
 * What two bundles differ in and what a file looks like, as the API describes it (RV-4). The package hands out the
 * types, so they are written out and the schemas are held to them: its declarations need no zod.
 */

const pieces = z
  .array(
    z
      .object({
        text: z.string(),
        mark: z.enum(["same", "changed"]),
        hidden: z.boolean().describe("It stands for what cannot be seen, or is not what it looks like."),
      })
      .meta({ id: "Piece" }),
  )
  .readonly();

export const visibleFile = z
  .object({ path: z.string(), lines: z.array(pieces).readonly().nullable().describe("Null: it is not text.") })
  .meta({ id: "VisibleFile" }) satisfies z.ZodType<VisibleFile>;

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
  .meta({ id: "FileDiff" });

const delta = z
  .object({
    kind: z.enum(["host", "command", "secret", "tool", "description", "hidden", "finding", "file", "scope"]),
    change: z.enum(["added", "removed", "changed"]),
    what: z.string(),
    at: z.object({ file: z.string(), line: z.number().int() }).nullable(),
  })
  .meta({ id: "Delta" });

const field = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });

export const bundleDiff = z.object({
  files: z.array(fileDiff).readonly(),
  unchanged: count,
  fields: z.array(field).readonly(),
  tools: z.object({ added: texts, removed: texts }),
  delta: z.array(delta).readonly().describe("What matters for security, to be looked at first."),
}) satisfies z.ZodType<BundleDiff>;
