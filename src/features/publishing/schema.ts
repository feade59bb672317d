import { z } from "@hono/zod-openapi";
import { digest, finding, moment } from "../../core/schema.ts";

/** One skill that is switched on for publishing (SV-6). */
export const publishedLine = z
  .object({
    entry: z.string(),
    name: z.string(),
    digest: digest.nullable().describe("The approved revision that is served; null: nothing is."),
    at: moment,
    by: z.string(),
    findings: z.array(finding).readonly().describe("Why nothing is served."),
  })
  .openapi("PublishedLine");

export type PublishedLine = Readonly<z.infer<typeof publishedLine>>;

export const publishedLines = z.array(publishedLine).readonly();

export const publishedView = z
  .object({
    isOpen: z.boolean().describe("Whether this server has the door for it: `publish.enabled` in its configuration."),
    line: z.union([publishedLine, z.null()]).describe("Null: it is not switched on."),
  })
  .openapi("PublishedView");

export type PublishedView = Readonly<z.infer<typeof publishedView>>;

export const unpublished = z.object({ entry: z.string() }).openapi("Unpublished");
