import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../core/error.ts";
import { count, finding } from "../../core/schema.ts";
import { kinds } from "../../skill/manifest.ts";
import { statuses } from "./statuses.ts";

/** The one model of what `/api` takes and gives: requests are held to it, and the OpenAPI document is made from it. */

const name = z.string().min(1).max(128);
export const text = z.string().refine((value) => value.isWellFormed(), "must be valid Unicode");

const pathId = z.string().regex(/^[\w.:-]{1,128}$/);
/** An entry's id holds a path, a digest and a file are longer than names: each is one segment, percent-encoded. */
const longName = z
  .string()
  .min(1)
  .max(2000)
  .refine((value) => value.isWellFormed());

/** What a part of a path may be, by its name. */
export function pathParameters(parameter: string): z.ZodType<string> {
  return parameter === "entry" || parameter === "file" ? longName : pathId;
}

const skills = z.array(name).max(64).optional().describe("Skills for this request alone, by id or name.");
const configuration = name.describe("The configuration whose model is asked and whose skills are injected.");

const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text }),
  z.strictObject({ type: z.literal("image"), url: text.describe("`https:` or `data:`; the provider fetches it.") }),
]);

const message = z.strictObject({
  role: z.enum(["system", "user", "assistant"]),
  content: z.union([text, z.array(part).max(256)]),
});

export const completeAsked = z.strictObject({ configuration, prompt: text, skills });
export const chatAsked = z.strictObject({ configuration, messages: z.array(message).min(1).max(2048), skills });
export const translateAsked = z.strictObject({ configuration, text, to: z.string().min(1).max(64), skills });
export const taskAsked = z.strictObject({ input: text, skills });
export const embedAsked = z.strictObject({
  configuration,
  texts: z.array(text).min(1).max(2048),
  model: name.optional().describe("Another one of the provider's list."),
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the one table of codes
const errorCodes = Object.keys(statuses) as ErrorCode[];

/** The closed list. */
export const errorCode = z.enum(errorCodes);

export const answered = z
  .object({
    text: z.string().describe("What the model answered: untrusted, never to be shown unsanitised."),
    finish: z.enum(["stop", "length", "filter", "other"]),
    tokens: z.object({ input: z.number().nullable(), output: z.number().nullable() }),
    injection: z.object({ id: z.string(), generation: count, included: count, dropped: count }),
    findings: z.array(finding).readonly(),
  })
  .openapi("Answered");

export const embedded = z
  .object({ model: z.string(), vectors: z.array(z.array(z.number()).readonly()).readonly() })
  .openapi("Embedded");

/** A question to the router (RT-7). */
export const routeAsked = z.strictObject({
  query: text.describe("What somebody asks for, as they wrote it."),
  configuration: name
    .optional()
    .describe("Only among what routing may choose for this one. Keys that are limited to some must name it."),
  kinds: z.array(z.enum(kinds)).min(1).max(16).readonly().optional().describe("Only skills of these kinds."),
  paths: z.array(z.string().max(1024)).max(256).readonly().optional().describe("Files that the work is about."),
  limit: z.number().int().min(1).max(50).optional(),
});

export type RouteAsked = Readonly<z.infer<typeof routeAsked>>;

const ratio = z.number().min(0).max(1);
const match = z.object({
  entry: z.string(),
  confidence: ratio,
  link: z.string().describe("The link whose evidence counted."),
  why: z.string(),
  alike: z.array(z.string()).readonly().describe("Others of the same or nearly the same text."),
});

export const routed = z
  .object({
    generation: count,
    matches: z.array(match.extend({ name: z.string() })).readonly(),
    abstained: z.boolean().describe("Nothing fits."),
    ambiguous: z.boolean().describe("The first matches are too close to call."),
    tied: count.describe("So many of the first matches cannot be told apart: 1 when the best one is clear."),
    findings: z.array(finding).readonly(),
    trace: z.object({
      steps: z
        .array(
          z.object({
            link: z.string(),
            outcome: z.enum(["answered", "none", "failed", "late", "skipped"]),
            milliseconds: z.number(),
            said: z.array(z.object({ entry: z.string(), confidence: ratio, why: z.string() })).readonly(),
            note: z.string().nullable(),
          }),
        )
        .readonly(),
      stopped: z.string(),
      likelihood: ratio.describe("That the right skill is among the first five: what the floor is held against."),
      ranked: z.array(match).readonly().describe("Everything that was found, the floor not applied."),
      thresholds: z.object({ accept: ratio, margin: ratio, floor: ratio }),
    }),
  })
  .openapi("Routed");

export const apiDocument = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({}),
    paths: z.looseObject({}),
    components: z.looseObject({}),
  })
  .openapi("OpenAPI");

export const health = z.object({ status: z.literal("ok") }).openapi("Health");

export const readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), about: z.string() })).readonly(),
  })
  .openapi("Readiness");

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.enum([...errorCodes, "internal", "stopping"]),
    detail: z.string(),
    request: z.string().describe("The id under which the server's log has it."),
  })
  .openapi("Problem");
