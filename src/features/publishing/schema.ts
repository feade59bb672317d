import { z } from "@hono/zod-openapi";
import type { PublishedLine, PublishedView } from "./flow.ts";
import { finding } from "../../core/schema.ts";
import { digest, moment, type Sent } from "../../core/schema.ts";

export const publishedLine = z
  .object({
    entry: z.string(),
    name: z.string(),
    digest: digest.nullable().describe("The approved revision that is served; null: nothing is."),
    at: moment,
    by: z.string(),
    findings: z.array(finding).readonly().describe("Why nothing is served."),
  })
  .openapi("PublishedLine") satisfies z.ZodType<Sent<PublishedLine>>;

export const publishedLines = z.array(publishedLine).readonly();

export const publishedView = z
  .object({
    isOpen: z.boolean().describe("Whether this server has the door for it: `publish.enabled` in its configuration."),
    line: z.union([publishedLine, z.null()]).describe("Null: it is not switched on."),
  })
  .openapi("PublishedView") satisfies z.ZodType<Sent<PublishedView>>;

export const unpublished = z.object({ entry: z.string() }).openapi("Unpublished");
