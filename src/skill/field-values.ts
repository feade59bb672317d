import { safeLine } from "../core/text.ts";
import { isNull } from "./core-value.ts";
import type { YamlEntry, YamlNode } from "./yaml.ts";

/** A scalar's source text: `no` and `1.10` stay what the author wrote (SK-4). What every reader takes for none is none. */
export function textOf(entry: YamlEntry | undefined): string | undefined {
  if (entry?.value.kind !== "scalar") return undefined;
  return isNull(entry.value) ? "" : entry.value.text;
}

/** A list, or words with commas (SK-8). Undefined for any other shape. */
export function wordsOf(node: YamlNode): string[] | undefined {
  return node.kind === "scalar" ? splitWords(node.text) : scalarsOf(node);
}

/** The scalars of a list, trimmed, empties dropped. Undefined when it is no list, or not of scalars alone. */
export function scalarsOf(node: YamlNode): string[] | undefined {
  if (node.kind !== "list") return undefined;
  const words = node.items.flatMap((item) => (item.kind === "scalar" ? [item.text.trim()] : []));
  return words.length === node.items.length ? words.filter((word) => word !== "") : undefined;
}

export function splitWords(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** What stands there, for a message. */
export function shapeOf(node: YamlNode): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  return isNull(node) ? "empty" : `"${safeLine(node.text, 40)}"`;
}

interface Size {
  bytes: number;
  keys: number;
  depth: number;
}

/** How much of the bounds on unknown fields a value takes (SK-8). */
export function sizeOf(node: YamlNode): Size {
  if (node.kind === "scalar") return { bytes: Buffer.byteLength(node.text), keys: 0, depth: 0 };
  const children = node.kind === "list" ? node.items : [...node.entries.values()].map(({ value }) => value);
  const keys = node.kind === "list" ? [] : [...node.entries.keys()];
  return children.map(sizeOf).reduce(
    (sum, child) => ({
      bytes: sum.bytes + child.bytes,
      keys: sum.keys + child.keys,
      depth: Math.max(sum.depth, child.depth + 1),
    }),
    { bytes: Buffer.byteLength(keys.join("")), keys: keys.length, depth: 1 },
  );
}
