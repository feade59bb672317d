import type { Json, Schema } from "../support/api-conformity.ts";

export interface Samples {
  readonly components: Readonly<Record<string, Schema>>;
  /** What a field of this name has, also where it need not be there. */
  readonly fields?: Readonly<Record<string, Json>>;
}

/** The smallest value that a schema of the description takes, as far as that can be told. */
export function sampleOf(schema: Schema, samples: Samples): Json {
  const { components, fields = {} } = samples;
  const inside = (part: Json | undefined) => sampleOf(asSchema(part), samples);
  const { $ref, anyOf, oneOf, allOf, enum: words, type, items, minItems, properties, required } = schema;
  if (typeof $ref === "string") return inside(components[$ref.split("/").at(-1) ?? ""]);
  const [first] = [anyOf, oneOf, allOf].find(Array.isArray) ?? [];
  if (first !== undefined) return inside(first);
  if (Array.isArray(words)) return words[0] ?? null;
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "object") {
    const known = asSchema(properties);
    const needed = Array.isArray(required) ? required.map(String) : [];
    const given = Object.keys(known).filter((name) => needed.includes(name) || name in fields);
    return Object.fromEntries(given.map((name) => [name, fields[name] ?? inside(known[name])]));
  }
  if (kind === "array") return Array.from({ length: Number(minItems ?? 0) }, () => inside(items));
  if (kind === "integer" || kind === "number") return Number(schema["minimum"] ?? 1);
  return kind === "boolean" ? true : sampleText(schema);
}

/** Of texts that have a form, digests alone are asked for. */
function sampleText({ minLength, pattern }: Schema): string {
  if (typeof pattern === "string" && pattern.includes("0-9a-f")) return "0".repeat(64);
  return "x".repeat(Math.max(1, Number(minLength ?? 1)));
}

function asSchema(value: Json | undefined): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
