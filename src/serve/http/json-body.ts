import type { z } from "@hono/zod-openapi";
import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import { readBody } from "../body.ts";
import type { Wire } from "../door.ts";
import { jsonIn } from "../json-in.ts";
import { demandModest } from "../modest-json.ts";
import type { BodyBounds } from "./body-bounds.ts";

const jsonType = /^application\/json *(?:;|$)/i;
const shownIssues = 5;

/** The body of a request, held to its schema. Refused with `usage.invalid` in words that name what is wrong. */
export async function readJson<Schema extends z.ZodType>(
  { incoming, exchange }: Wire["Bindings"],
  schema: Schema,
  most: BodyBounds,
): Promise<z.infer<Schema>> {
  if (!jsonType.test(incoming.headers["content-type"] ?? ""))
    throw new AppError("usage.invalid", "content-type: expected application/json");
  const bytes = await readBody(incoming, most.bytes);
  exchange.bytesIn = bytes.length;
  demandModest(bytes, most.values);
  const { success, data, error } = schema.safeParse(parseJson(bytes));
  if (success) return data;
  throw new AppError("usage.invalid", shownFaults(error.issues));
}

function parseJson(bytes: Buffer): unknown {
  const value = jsonIn(bytes);
  if (value === undefined) throw new AppError("usage.invalid", "the body is not valid JSON in UTF-8");
  return value;
}

type Issue = z.core.$ZodIssue;

/** What is wrong, in words that name the place; bounded, whatever was sent. */
export function shownFaults(issues: readonly Issue[]): string {
  const shown = issues.slice(0, shownIssues).map(shownIssue);
  const more = issues.length > shown.length ? [`and ${issues.length - shown.length} more`] : [];
  return [...shown, ...more].join("; ");
}

function shownIssue(issue: Issue): string {
  const place = safeLine(issue.path.map(String).join("."), 80) || "the body";
  if (issue.code !== "unrecognized_keys") return `${place}: ${safeLine(issue.message, 160)}`;
  const keys = issue.keys.slice(0, shownIssues).map((key) => `"${safeLine(key, 40)}"`);
  return `${place}: does not know ${keys.join(", ")}${issue.keys.length > keys.length ? " and more" : ""}`;
}
