import { Ajv2020 } from "ajv/dist/2020.js";
import type { Reply } from "./http-serving.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = { [key: string]: Json };

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}

/** As much of an OpenAPI document as is held against answers. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Exchanged {
  readonly method: string;
  readonly path: string;
  /** What was sent; undefined: nothing. */
  readonly json?: unknown;
  readonly reply: Reply;
}

/**
 * Holds what went over the wire against the description of its route and status: a body that is not described, or a
 * field more than is described, is a fault.
 */
export function conformityOf(document: ApiDocument): (exchanged: Exchanged) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  const loose = document.components.schemas;
  const strict = Object.fromEntries(Object.entries(loose).map(([name, schema]) => [name, strictly(schema)]));
  // Answers are held to the strict ones; parts of a whole to the loose ones, since only the whole knows all fields.
  ajv.addSchema({ $id: "api", components: { schemas: strict, parts: loose } });
  const pointed = (schema: Json): Schema => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
  const known = new Map<Schema, ReturnType<Ajv2020["compile"]>>();
  const faultsOf = (schema: Schema, value: unknown) => {
    const check = known.get(schema) ?? ajv.compile(pointed(strictly(schema)));
    known.set(schema, check);
    return check(value) ? [] : (check.errors ?? []);
  };

  return ({ method, path, json, reply }) => {
    const operation = operationAt(document, method, path);
    if (operation === undefined) return demandUndescribed(path, reply);
    const place = `${method} ${path} answered ${reply.status}`;
    const media = operation.responses[String(reply.status)] ?? operation.responses["default"];
    const faults = answerFaults(media, reply, faultsOf);
    if (faults.length > 0) throw new Error(`${place}, not as described: ${JSON.stringify(faults)}\n${reply.text}`);
    const asked = operation.requestBody?.content?.["application/json"]?.schema;
    const wrong = reply.status < 300 && asked !== undefined ? faultsOf(asked, json) : [];
    if (wrong.length > 0) throw new Error(`${place}, but took what is not described: ${JSON.stringify(wrong)}`);
  };
}

/** What is not described is not there, or is of another door. */
function demandUndescribed(path: string, { status, text }: Reply): void {
  if (path.startsWith("/api/") && status !== 404) throw new Error(`${path} is not described, and answered ${text}`);
}

function answerFaults(
  media: Media | undefined,
  { status, headers, text }: Reply,
  faultsOf: (schema: Schema, value: unknown) => readonly unknown[],
): readonly unknown[] {
  if (media === undefined) return [`the status ${status} is not described`];
  if (media.content === undefined) return text === "" ? [] : ["a body that is not described"];
  const type = String(headers["content-type"]);
  const described = media.content[type];
  if (described === undefined) return [`the type ${type} is not described`];
  return /^application\/(?:json|\w+\+json)$/.test(type) ? faultsOf(described.schema, JSON.parse(text)) : [];
}

/** The route with the most words in its path that fits. */
export function operationAt({ paths }: ApiDocument, method: string, path: string): Operation | undefined {
  const parts = (path.split("?", 1)[0] ?? "").split("/");
  const fitting = Object.keys(paths).filter((template) => {
    const wanted = template.split("/");
    return wanted.length === parts.length && wanted.every((word, at) => word.startsWith("{") || word === parts[at]);
  });
  const [best = ""] = fitting.toSorted((a, b) => a.split("{").length - b.split("{").length);
  return paths[best]?.[method.toLowerCase()];
}

/** The same schema, in which no object has a field more than it names. */
function strictly(schema: Schema): Schema {
  const isWhole = Array.isArray(schema["allOf"]);
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === "allOf" ? partsOf(value) : strictValue(value)]),
  );
  if (isWhole) return { ...inside, unevaluatedProperties: false };
  const isOpen = schema["properties"] === undefined || schema["additionalProperties"] !== undefined;
  return isOpen ? inside : { ...inside, additionalProperties: false };
}

function strictValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(strictValue);
  return typeof value === "object" && value !== null ? strictly(value) : value;
}

function partsOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/components/schemas/', '"#/components/parts/'));
}
