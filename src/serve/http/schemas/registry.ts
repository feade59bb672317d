import { z } from "@hono/zod-openapi";
import { trusts } from "../../../ingest/source/trust.ts";
import type { EntryLine } from "../../../app/entry-view.ts";
import type { Page } from "../../../app/page.ts";
import type { BlockWord, Decision } from "../../../registry/decision.ts";
import { states } from "../../../registry/state.ts";
import { level } from "../schemas.ts";

/** What several resources of the registry share. Every schema of an answer is held to the type of the view it describes. */

/** A view as a schema can say it: what need not be there may as well be undefined. */
export type Sent<View> = View extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : View extends object
    ? {
        readonly [Key in keyof View]: object extends Pick<View, Key> ? Sent<View[Key]> | undefined : Sent<View[Key]>;
      }
    : View;

export const count = z.number().int().min(0);
export const moment = z.number().int().describe("Milliseconds since the epoch.");
export const digest = z.string().describe("SHA-256 over all files, in hex.");
export const texts = z.array(z.string()).readonly();

/** Of a query: yes or no, or not said. */
export const isAsked = z
  .enum(["true", "false"])
  .transform((word) => word === "true")
  .openapi({ type: "boolean" })
  .optional();

export const trust = z.enum(trusts);
export const state = z.enum(states);

const standing = {
  state,
  inUse: digest.nullable().describe("The approved revision that may be used; null: none."),
  reason: z.string(),
};

/** The fields of an entry as lists show it. */
export const entryLineFields = {
  entry: z.string(),
  name: z.string(),
  ...standing,
  current: digest.describe("What its source holds now, or held last."),
  source: z.string(),
  trust: trust.nullable().describe("Null when the source is not there any more."),
  findings: z.partialRecord(level, count).describe("How many findings of which level."),
};

export const entryLine = z.object(entryLineFields).openapi("EntryLine") satisfies z.ZodType<EntryLine>;

/** What every signed statement has. */
const said = {
  seq: count,
  prev: z.string(),
  by: z.string(),
  at: moment,
  note: z.string(),
};

export const decision = z
  .object({
    ...said,
    word: z.enum(["approve", "reject", "disable", "override"]),
    entry: z.string(),
    repositoryId: z.number().nullable(),
    commit: z.string().nullable(),
    digest,
    current: digest.describe("What was current when it was decided."),
    trust,
    grants: texts,
    overrides: texts,
  })
  .openapi("Decision") satisfies z.ZodType<Decision>;

export const blockKind = z.enum(["digest", "entry", "source", "repository"]);

export const blockWord = z
  .object({ ...said, word: z.enum(["block", "unblock"]), kind: blockKind, value: z.string() })
  .openapi("BlockWord") satisfies z.ZodType<BlockWord>;

/** The fields of a page of a list. */
export function pageFields<Item extends z.ZodType>(item: Item) {
  return {
    items: z.array(item).readonly(),
    total: count.describe("How many there are in all."),
    more: count.describe("How many come after this page."),
    next: z.string().nullable().describe("To be sent as `after`; null when nothing comes after."),
  } satisfies Record<keyof Page<unknown>, z.ZodType>;
}

/** A whole number behind a question mark. */
export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`)
    .openapi({ type: "integer", minimum: least, maximum: most });
}

export const mostPerPage = 500;

/** Which part of a list is wanted. */
export const pageQuery = {
  after: z.string().max(2000).optional().describe("`next` of the page before."),
  limit: wholeNumber(1, mostPerPage).optional().describe("100 when nothing is said."),
};

export const wholeDigest = digest.regex(/^[0-9a-f]{64}$/, "must be 64 hex digits");

/** A digest as it was shown, or its first digits. */
export const typedDigest = z.string().regex(/^[0-9a-fA-F]{12,64}$/, "must be 12 to 64 hex digits");
export const sourceId = z.string().min(1).max(64);
export const sentence = z
  .string()
  .max(2000)
  .refine((value) => value.isWellFormed(), "must be valid Unicode");
