import type { YamlNode } from "./yaml.ts";

/** A value as JSON can carry it. Maps are objects without a prototype, so no key reaches one (T21). */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** What any YAML 1.2 reader (core schema) sees in a node: the form in which front-matter is handed on. */
export function coreValue(node: YamlNode): Value {
  switch (node.kind) {
    case "scalar":
      return node.plain ? plainValue(node.text) : node.text;
    case "list":
      return node.items.map(coreValue);
    case "map": {
      const object: Record<string, Value> = Object.create(null);
      for (const [key, entry] of node.entries) object[key] = coreValue(entry.value);
      return object;
    }
  }
}

const nulls = new Set(["", "~", "null", "Null", "NULL"]);
const truths = new Set(["true", "True", "TRUE"]);
const falsehoods = new Set(["false", "False", "FALSE"]);
const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const octal = /^0o[0-7]+$/;
const hexadecimal = /^0x[0-9a-fA-F]+$/;

function plainValue(text: string): Value {
  if (nulls.has(text)) return null;
  if (truths.has(text)) return true;
  if (falsehoods.has(text)) return false;
  if (decimal.test(text)) return finiteOr(text, Number(text));
  // Number() reads the YAML spelling of both.
  if (octal.test(text) || hexadecimal.test(text)) return finiteOr(text, Number(text));
  return text;
}

/** JSON has no infinity: a number that overflows stays the text it was. */
function finiteOr(text: string, number: number): Value {
  return Number.isFinite(number) ? number : text;
}

/** True for a plain scalar that stands for nothing: `key:`, `key: ~`, `key: null`. */
export function isNull(node: YamlNode): boolean {
  return node.kind === "scalar" && node.plain && nulls.has(node.text);
}
