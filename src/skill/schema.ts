import { type Field, fields, kinds } from "./manifest.ts";
import { type ScopeField, scopeFields } from "./scope-file.ts";

type Json = { readonly [key: string]: unknown };

/** The JSON Schemas, by file name. Generated from the models, so they cannot say anything else (SK-14). */
export function renderSchemas(): ReadonlyMap<string, string> {
  return new Map([
    ["skill-manifest.schema.json", render(manifestSchema())],
    ["skill-manifest.strict.schema.json", render(strictSchema())],
    ["skill-scope.schema.json", render(scopeSchema())],
  ]);
}

function render(schema: Json): string {
  return `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, null, 2)}\n`;
}

function manifestSchema(): Json {
  return {
    title: "SKILL.md front-matter, as Skillward reads it",
    description: "Fields beyond these are kept and shown.",
    ...objectOf(Object.entries<Field>(fields).flatMap(withSpellings)),
  };
}

function strictSchema(): Json {
  const known = Object.entries<Field>(fields).filter(([, field]) => field.public);
  return {
    title: "SKILL.md front-matter, public specification",
    description: "The name must also equal the folder's name, which a schema cannot say.",
    ...objectOf(known),
    additionalProperties: false,
  };
}

function withSpellings([name, field]: [string, Field]): [string, Field][] {
  return [name, ...(field.also ?? [])].map((spelling) => [spelling, field]);
}

function objectOf(known: readonly (readonly [string, Field])[]): Json {
  return {
    type: "object",
    required: known.filter(([, { required }]) => required === true).map(([name]) => name),
    properties: Object.fromEntries(
      known.map(([name, field]) => [name, { description: field.about, ...shapeOf(field) }]),
    ),
  };
}

const texts: Json = { type: "array", items: { type: "string", minLength: 1 } };
const textOrTexts: Json = { anyOf: [{ type: ["string", "null"] }, { type: "array", items: scalar() }] };

/** What YAML readers make of an unquoted word: Skillward keeps its text. */
function scalar(): Json {
  return { type: ["string", "number", "boolean", "null"] };
}

function shapeOf({ shape, length, literal }: Field): Json {
  switch (shape) {
    case "text":
      return {
        ...(literal === true ? { type: "string" } : scalar()),
        ...(length === undefined ? {} : { minLength: length.min, maxLength: length.max }),
      };
    case "text-map":
      return { type: ["object", "null"], additionalProperties: scalar() };
    case "kind":
      return { enum: kinds };
    case "flag":
      return { type: "boolean" };
    case "tools":
    case "words":
      return textOrTexts;
  }
}

function scopeSchema(): Json {
  const known = Object.entries<ScopeField>(scopeFields);
  return {
    title: "scope.yaml: what an agent may use while it holds the skill",
    type: "object",
    required: known.filter(([, { required }]) => required === true).map(([name]) => name),
    properties: Object.fromEntries(
      known.map(([name, field]) => [name, { description: field.about, ...scopeShapeOf(field) }]),
    ),
    additionalProperties: false,
  };
}

function scopeShapeOf({ shape, types }: ScopeField): Json {
  switch (shape) {
    case "text":
      return scalar();
    case "texts":
      return texts;
    case "tools":
      return { anyOf: [{ const: "*" }, texts] };
    case "output":
      return {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string" }, schema: true },
        additionalProperties: false,
      };
    case "rules":
      return { type: "array", items: ruleOf(types ?? []) };
  }
}

function ruleOf(types: readonly string[]): Json {
  return {
    type: "object",
    required: ["type", "skill"],
    properties: { type: { enum: types }, skill: { type: "string" }, reason: { type: "string" } },
    additionalProperties: false,
  };
}
