import { z } from "@hono/zod-openapi";
import { count, digest } from "../../core/schema.ts";

/** What stands behind a question mark, and what answers that are lists have. */

/** Yes or no, or not said. */
export const isAsked = z
  .enum(["true", "false"])
  .transform((word) => word === "true")
  .openapi({ type: "boolean" })
  .optional();

export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`)
    .openapi({ type: "integer", minimum: least, maximum: most });
}

export const wholeDigest = digest.regex(/^[0-9a-f]{64}$/, "must be 64 hex digits");

/** A digest as it was shown, or its first digits. */
export const typedDigest = z.string().regex(/^[0-9a-fA-F]{12,64}$/, "must be 12 to 64 hex digits");

export const sourceId = z.string().min(1).max(64);

export const mostPerPage = 500;

/** Which part of a list is wanted. */
export const pageQuery = {
  after: z.string().max(2000).optional().describe("`next` of the page before."),
  limit: wholeNumber(1, mostPerPage).optional().describe("100 when nothing is said."),
};

export type PageWanted = Readonly<z.infer<z.ZodObject<typeof pageQuery>>>;

/** The fields of a page of a list. */
export function pageFields<Item extends z.ZodType>(item: Item) {
  return {
    items: z.array(item).readonly(),
    total: count.describe("How many there are in all."),
    more: count.describe("How many come after this page."),
    next: z.string().nullable().describe("To be sent as `after`; null when nothing comes after."),
  };
}
