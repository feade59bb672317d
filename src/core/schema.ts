import { z } from "zod";
import { type Finding, levels } from "./finding.ts";

/** Shapes that every room shares. A schema gives the type, the check, and what the API's description says. */

export const count = z.number().int().min(0);
export const moment = z.number().int().describe("Milliseconds since the epoch.");
export const digest = z.string().describe("SHA-256 over all files, in hex.");
/** The id of a provider, a configuration or a task in a request. It may name none; the answer says so. */
export const requestedId = z.string().min(1).max(64);
export const texts = z.array(z.string()).readonly();
export const sentence = z
  .string()
  .max(2000)
  .refine((value) => value.isWellFormed(), "must be valid Unicode");

export const level = z.enum(levels);

/** The package hands out the type `Finding`, so that is written out: its declarations need no zod. */
export const findingShape = z
  .object({
    code: z.string(),
    level,
    message: z.string(),
    at: z.object({ file: z.string(), line: z.number().int() }),
    excerpt: z.string().optional().describe("What stands there, made visible."),
    decoded: z.string().optional().describe("What was hidden or encoded there."),
  })
  .meta({ id: "Finding" }) satisfies z.ZodType<{ readonly [Field in keyof Finding]: Finding[Field] | undefined }>;

/** What of it need not be there is absent in a finding, never undefined: zod's own type has both. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- held to the type above
export const finding = findingShape as z.ZodType as z.ZodType<Finding>;
