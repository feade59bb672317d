import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Access, routes } from "../../src/server/routes.ts";
import { conformityOf, type Operation } from "../support/api-conformity.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import type { Reply } from "../support/http-serving.ts";

interface Described extends Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
}

let room: ApiRoom;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
let operations: {
  readonly route: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Described;
}[];
beforeAll(async () => {
  room = await openApiRoom();
  document = room.document;
  operations = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      return { route, path, method, operation };
    }),
  );
});
afterAll(() => room.close());

describe("SV-2: the description", () => {
  test("SV-2: has every route of the API, of health and metrics, and no other", () => {
    const ours = [...routes.keys()].filter((route) => / \/(?:api\/|healthz|readyz|metrics)/.test(route));
    expect(operations.map(({ route }) => route).toSorted()).toEqual(ours.toSorted());
  });

  test("SV-2: is OpenAPI 3.1, and its references lead somewhere", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Skillward", version: "1" } });
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, place = ""]) => place);
    const lost = references.filter(
      (reference) => reference.split("/").reduce((place, name) => place?.[name], document) === undefined,
    );
    expect([references.length > 100, lost]).toEqual([true, []]);
  });

  test("SV-2: every operation has a name of its own, a sentence and a heading", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(?:get|post|put|patch|delete)[A-Z]\w+$/.test(name))).toEqual([]);
    const unsaid = operations.filter(({ operation: { summary, tags } }) => !summary.endsWith(".") || tags.length !== 1);
    expect(unsaid.map(({ route }) => route)).toEqual([]);
  });

  test("SV-2: what stands in a path is a parameter of it, and what comes behind it need not be there", () => {
    for (const { route, path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const { parameters = [] } = operation;
      const inPath = parameters.filter((each) => each.in === "path");
      expect([route, inPath.map(({ name }) => name)]).toEqual([route, named]);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const others = parameters.filter((each) => each.in !== "path");
      expect(others.every((each) => each.in === "query" && !each.required)).toBe(true);
    }
  });

  test("T37, T39: says who may, as the rows do: a key, or a session whose writes carry its token", () => {
    const key = [{ bearer: [] }, { header: [] }];
    const securityOf = (access: Access | undefined, method: string) =>
      access === "anybody" ? undefined : [...key, method === "get" ? { session: [] } : { session: [], token: [] }];
    for (const { route, method, operation } of operations)
      expect([route, operation.security]).toEqual([route, securityOf(routes.get(route), method)]);
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: "http", scheme: "bearer" },
      header: { type: "apiKey", in: "header", name: "x-api-key" },
      session: { type: "apiKey", in: "cookie" },
      token: { type: "apiKey", in: "header", name: "x-skillward-token" },
    });
  });

  test("SV-2: every answer is described, and every failure is a problem with a code of the closed list", () => {
    const problem = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
    for (const { route, operation } of operations) {
      const { 200: usual, default: refused, 304: known, 503: notReady, ...others } = operation.responses;
      expect([route, Object.keys(others)]).toEqual([route, []]);
      expect(Object.keys(usual?.content ?? {})).toHaveLength(1);
      expect(refused?.content).toEqual(problem);
      expect(known?.content).toBeUndefined();
      expect(notReady !== undefined).toBe(route === "GET /readyz");
    }
    expect(document.components.schemas.Problem.properties.code.enum).toContain("review.stale");
  });

  test("SV-2: its schemas are JSON Schema, each by itself", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false });
    ajv.addVocabulary(["components", "discriminator"]);
    ajv.addSchema({ $id: "api", components: document.components });
    const pointed = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
    const schemas = operations.flatMap(({ operation: { requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((media) =>
        Object.values(media?.content ?? {}).map(({ schema }) => schema),
      ),
    );
    for (const schema of [...schemas, ...Object.values(document.components.schemas)]) ajv.compile(pointed(schema));
    expect(schemas.length).toBeGreaterThan(operations.length);
  });

  test("T41: every text and every list that is taken has a bound, but for prompts", () => {
    const unbounded = new Set<string>();
    const look = (schema: Record<string, unknown>, place: string) => {
      const { type, enum: words, maxLength, maxItems, pattern, properties, items, anyOf, oneOf, allOf } = schema;
      const kinds = new Set([type].flat());
      const hasBound = words !== undefined || maxLength !== undefined || pattern !== undefined;
      if (kinds.has("string") && !hasBound) unbounded.add(place);
      if (kinds.has("array") && maxItems === undefined) unbounded.add(place);
      for (const [name, inside] of Object.entries(properties ?? {})) look(inside, `${place} ${name}`);
      if (items !== undefined) look(items as Record<string, unknown>, place);
      for (const part of [anyOf, oneOf, allOf].flat()) if (part) look(part as Record<string, unknown>, place);
    };
    for (const { route, operation } of operations) {
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      if (schema !== undefined) look(schema, route);
    }
    expect([...unbounded].toSorted()).toEqual(boundedByTheBody);
  });
});

/** Prompts and what they are about are as long as a body may be. */
const boundedByTheBody = [
  "POST /api/chat messages content",
  "POST /api/chat messages content text",
  "POST /api/chat messages content url",
  "POST /api/complete prompt",
  "POST /api/embed texts",
  "POST /api/route query",
  "POST /api/tasks/:id/run input",
  "POST /api/translate text",
];

const blocked = {
  block: { seq: 1, prev: "", by: "ada", at: 1, note: "x", word: "block", kind: "entry", value: "a:b" },
  known: true,
  changed: 0,
};

describe("SV-2: the check that tests of the API hold every answer against", () => {
  const replied = (status: number, value: unknown, type = "application/json"): Reply => ({
    status,
    headers: { "content-type": type },
    text: value === undefined ? "" : JSON.stringify(value),
    json: () => value,
  });
  const health = { method: "GET", path: "/healthz" };
  const problem = {
    type: "about:blank",
    title: "Not Found",
    status: 404,
    code: "record.missing",
    detail: "",
    request: "",
  };

  test("SV-2: takes what is as described", () => {
    const fine = [
      { ...health, reply: replied(200, { status: "ok" }) },
      { ...health, reply: replied(404, problem, "application/problem+json") },
      { method: "GET", path: "/api/skills?q=x", reply: { ...replied(304, undefined), headers: {} } },
      { method: "GET", path: "/api/nothing", reply: replied(404, problem, "application/problem+json") },
    ];
    expect(() => fine.forEach(conformityOf(document))).not.toThrow();
  });

  test.each<[what: string, exchanged: Parameters<ReturnType<typeof conformityOf>>[0]]>([
    ["one field more", { ...health, reply: replied(200, { status: "ok", more: 1 }) }],
    ["one field less", { ...health, reply: replied(200, {}) }],
    ["another value", { ...health, reply: replied(200, { status: "well" }) }],
    ["another type", { ...health, reply: replied(200, { status: "ok" }, "text/plain") }],
    ["a body where there is none", { method: "GET", path: "/api/skills", reply: replied(304, {}) }],
    ["a failure that is no problem", { ...health, reply: replied(500, { error: "x" }, "application/problem+json") }],
    [
      "a code that is not of the list",
      { ...health, reply: replied(404, { ...problem, code: "odd" }, "application/problem+json") },
    ],
    ["a route that is not described", { method: "GET", path: "/api/secrets", reply: replied(200, {}) }],
    [
      "a request that should have been refused",
      { method: "POST", path: "/api/blocks", json: { odd: 1 }, reply: replied(200, blocked) },
    ],
    [
      "a field more inside",
      {
        method: "POST",
        path: "/api/blocks",
        json: { kind: "entry", value: "a:b", reason: "x" },
        reply: replied(200, { ...blocked, block: { ...blocked.block, more: 1 } }),
      },
    ],
  ])("SV-2: refuses %s", (_what, exchanged) => {
    expect(() => conformityOf(document)(exchanged)).toThrow(/not as described|not described/);
  });
});
