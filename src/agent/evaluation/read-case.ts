import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { coreValue, isNull, type Value } from "../../skill/core-value.ts";
import type { YamlMap, YamlEntry, YamlNode } from "../../skill/yaml.ts";
import { parseScript, type Script } from "../../models/scripted-rules.ts";
import { readChecks, readPath } from "./read-checks.ts";
import { type CaseFile, mostRuns, type SkillCase } from "./skill-case.ts";
import { nearest } from "../../core/nearest.ts";
import { type agentFaults, agentFinding } from "../agent-faults.ts";

const words = [
  "name",
  "description",
  "skills",
  "files",
  "prompts",
  "script",
  "trust",
  "allow",
  "runs",
  "checks",
  "golden",
] as const;

const mostItems = 100;
const longestLine = 1024;
const longestText = 262_144;

/** A case out of its YAML. With a finding there is none: half a case would prove something else than what was meant. */
export function readCase(
  root: YamlMap,
  file: string,
):
  | { readonly read: SkillCase; readonly findings?: undefined }
  | { readonly read?: undefined; readonly findings: readonly Finding[] } {
  const reader = new CaseReader(file);
  reader.refuseUnknown(root, words, "field of a case");
  const read: SkillCase = {
    name: reader.text(root, "name", longestLine, "needed") ?? "",
    description: reader.text(root, "description", longestText),
    skills: reader.items(root, "skills", mostItems).map((node) => {
      return { folder: reader.textOf(node, "skills", longestLine), line: node.line };
    }),
    files: readFiles(reader, root),
    prompts: readPrompts(reader, root),
    script: readScript(reader, root),
    trust: reader.flag(root, "trust", true),
    allow: reader.items(root, "allow", mostItems).map((node) => reader.textOf(node, "allow", longestLine)),
    runs: reader.count(root, "runs", mostRuns),
    checks: readChecks(reader, root),
    golden: reader.flag(root, "golden", false),
  };
  if (!root.entries.has("checks") && !read.golden)
    reader.say("the case has neither checks nor a golden transcript: it would prove nothing", root.line);
  return reader.findings.length === 0 ? { read } : { findings: reader.findings };
}

function readPrompts(reader: CaseReader, root: YamlMap): readonly string[] {
  if (presentIn(root, "prompts") === undefined)
    reader.say("prompts: expected what a person says, one item for each line", root.line);
  return reader.items(root, "prompts", mostItems).map((node) => reader.textOf(node, "prompts", longestText));
}

function readFiles(reader: CaseReader, root: YamlMap): readonly CaseFile[] {
  const entry = presentIn(root, "files");
  const map = entry && reader.map(entry.value, "files", "paths with what the files contain");
  const [paths, folders] = [new Set<string>(), new Set<string>()];
  return [...(map?.entries ?? [])].map(([word, { value, line }]) => {
    const path = readPath(reader, { kind: "scalar", text: word, plain: false, commented: false, line }, "files");
    const above = path.split("/").map((_, index, names) => names.slice(0, index).join("/"));
    for (const folder of above) folders.add(folder);
    paths.add(path);
    if (folders.has(path) || above.some((folder) => paths.has(folder)))
      reader.say(`files: "${safeLine(path)}" would be a file and a folder`, line);
    // An empty file is a file too.
    const isText = value.kind === "scalar" && value.text.length <= longestText;
    if (!isText) reader.say(`files: expected a text of at most ${longestText} characters`, line);
    return { path, text: isText ? value.text : "" };
  });
}

function readScript(reader: CaseReader, root: YamlMap): Script | null {
  const entry = presentIn(root, "script");
  if (entry === undefined) return null;
  const { script, findings } = parseScript(JSON.stringify(coreValue(entry.value)));
  for (const { message } of findings) reader.say(message, entry.line);
  return script;
}

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
function presentIn(map: YamlMap, key: string): YamlEntry | undefined {
  const entry = map.entries.get(key);
  return entry === undefined || isNull(entry.value) ? undefined : entry;
}
