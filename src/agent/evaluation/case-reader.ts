import type { Finding } from "../../core/finding.ts";
import { nearest } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import { coreValue, isNull, type Value } from "../../skill/core-value.ts";
import type { YamlEntry, YamlMap, YamlNode } from "../../skill/yaml.ts";
import { type agentFaults, agentFinding } from "../agent-faults.ts";

/** Reads the fields of a case one by one. What is wrong is said with its line, and something harmless stands in for it. */
export class CaseReader {
  readonly findings: Finding[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  say(message: string, line: number, code: keyof typeof agentFaults = "eval.case-invalid"): void {
    this.findings.push(agentFinding(code, this.#file, message, line));
  }

  /** A word that nobody knows is refused: a check that is misspelt would check nothing. */
  refuseUnknown(map: YamlMap, known: readonly string[], what: string): void {
    for (const [word, { line }] of map.entries) {
      if (known.includes(word)) continue;
      const near = nearest(word, known);
      const hint = near === undefined ? `expected ${known.join(", ")}` : `did you mean ${near}?`;
      this.say(`"${safeLine(word, 64)}" is no ${what}; ${hint}`, line);
    }
  }

  /** Of a scalar its text, whatever a YAML reader would take it for; null when it is not there. */
  text(map: YamlMap, key: string, longest: number, needed?: "needed"): string | null {
    const entry = presentIn(map, key);
    if (entry === undefined) {
      if (needed !== undefined)
        this.say(`${key}: expected 1 to ${longest} characters`, map.entries.get(key)?.line ?? map.line);
      return null;
    }
    return this.textOf(entry.value, key, longest);
  }

  textOf(node: YamlNode, key: string, longest: number): string {
    if (node.kind === "scalar" && node.text !== "" && node.text.length <= longest) return node.text;
    this.say(`${key}: expected a text of 1 to ${longest} characters`, node.line);
    return "";
  }

  flag(map: YamlMap, key: string, otherwise: boolean): boolean {
    const entry = presentIn(map, key);
    if (entry === undefined) return otherwise;
    const value = coreValue(entry.value);
    if (typeof value === "boolean") return value;
    this.say(`${key}: expected true or false`, entry.line);
    return otherwise;
  }

  count(map: YamlMap, key: string, most: number): number {
    const entry = presentIn(map, key);
    const value = entry === undefined ? 1 : coreValue(entry.value);
    if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
    this.say(`${key}: expected a whole number from 1 to ${most}`, entry?.line ?? map.line);
    return 1;
  }

  /** The items of a list; where one is meant, it need not be a list. */
  items(map: YamlMap, key: string, most: number): readonly YamlNode[] {
    const entry = presentIn(map, key);
    if (entry === undefined) return [];
    const items = entry.value.kind === "list" ? entry.value.items : [entry.value];
    if (items.length > 0 && items.length <= most) return items;
    this.say(`${key}: expected 1 to ${most} items`, entry.line);
    return [];
  }

  map(node: YamlNode, key: string, expected: string): YamlMap | undefined {
    if (node.kind === "map") return node;
    this.say(`${key}: expected ${expected}`, node.line);
    return undefined;
  }

  value(map: YamlMap, key: string): Value | undefined {
    const entry = presentIn(map, key);
    return entry === undefined ? undefined : coreValue(entry.value);
  }
}

/** `key:` without a value is as good as no key. */
export function presentIn(map: YamlMap, key: string): YamlEntry | undefined {
  const entry = map.entries.get(key);
  return entry === undefined || isNull(entry.value) ? undefined : entry;
}
