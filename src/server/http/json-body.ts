import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { BodySize } from "../../features/http/api-routes.ts";
import { readBody, demandModest } from "../body.ts";
import type { Door, Wire } from "../door.ts";
import type { z } from "@hono/zod-openapi";

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
  const { success, data, error } = schema.safeParse(valueOf(bytes));
  if (success) return data;
  throw new AppError("usage.invalid", shownFaults(error.issues));
}

function valueOf(bytes: Buffer): unknown {
  const value = parseJson(bytes);
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

/** What a body may hold (T41): reading more of it would keep everybody else on the node waiting. */
export interface BodyBounds {
  readonly bytes: number;
  /** Objects, lists, members and elements. */
  readonly values: number;
}

const many = 200_000;

const bounds: Readonly<Record<BodySize, BodyBounds>> = {
  // A name and two passwords, each character escaped.
  small: { bytes: 32 * 2 ** 10, values: 100 },
  usual: { bytes: 2 ** 20, values: 20_000 },
  queries: { bytes: 8 * 2 ** 20, values: many },
  // As large as whoever runs the server lets requests for models be.
  texts: { bytes: Number.POSITIVE_INFINITY, values: many },
};

export function boundsOfBody(size: BodySize, door: Pick<Door, "bodyBytes">): BodyBounds {
  const { bytes, values } = bounds[size];
  return { bytes: Math.min(bytes, door.bodyBytes), values };
}
