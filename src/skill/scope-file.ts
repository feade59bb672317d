import type { Finding } from "../core/finding.ts";
import { limits, type SkillLimits } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { scopeFile } from "./bundle.ts";
import { coreValue, isNull, type Value } from "./core-value.ts";
import { decodeUtf8 } from "./document.ts";
import { type FaultCode, finding } from "./faults.ts";
import { parseYaml, type YamlEntry, type YamlMap, type YamlNode } from "./yaml.ts";

/** What a skill allows, forbids and needs while an agent holds it, as `scope.yaml` declares it (SC-1). */
export interface ScopeDeclaration {
  readonly version: string | null;
  /** `"*"` is the identity: it takes nothing away. */
  readonly allowedTools: readonly string[] | "*";
  readonly forbiddenTools: readonly string[];
  readonly executionProtocol: readonly string[];
  readonly preconditions: readonly string[];
  readonly postconditions: readonly string[];
  readonly outputContract: { readonly type: string; readonly schema: Value } | null;
  readonly compatibilityRules: readonly ScopeRule[];
  readonly composabilityRules: readonly ScopeRule[];
}

export interface ScopeRule {
  readonly type: string;
  readonly skill: string;
  readonly reason: string | null;
}

type ScopeShape = "text" | "texts" | "tools" | "output" | "rules";

export interface ScopeField {
  readonly shape: ScopeShape;
  readonly required?: boolean;
  /** The words a rule's `type` may be. */
  readonly types?: readonly string[];
  readonly about: string;
}

/** The one model of `scope.yaml`: the reader and the JSON Schema both come from it. */
export const scopeFields = {
  version: { shape: "text", about: "The declaration's own version." },
  allowed_tools: {
    shape: "tools",
    required: true,
    about: "The tools that may be used; `'*'` takes nothing away.",
  },
  forbidden_tools: { shape: "texts", about: "Tools that may not be used, whatever else allows them." },
  execution_protocol: { shape: "texts", required: true, about: "The steps, in order. Advisory." },
  preconditions: { shape: "texts", about: "What must hold before." },
  postconditions: { shape: "texts", about: "What must hold after." },
  output_contract: { shape: "output", about: "What the result looks like." },
  compatibility_rules: {
    shape: "rules",
    types: ["requires", "incompatible"],
    about: "Skills this one needs, or cannot stand.",
  },
  composability_rules: {
    shape: "rules",
    types: ["requires", "forbids"],
    about: "Skills this one needs, or forbids, in one set.",
  },
} as const satisfies Record<string, ScopeField>;

type ScopeFieldName = keyof typeof scopeFields;

/** Reads `scope.yaml`. No declaration when anything in it cannot be read: half a restriction is none (SK-4). */
export function parseScope(
  bytes: Uint8Array,
  bounds: SkillLimits,
): { declaration?: ScopeDeclaration; findings: readonly Finding[] } {
  if (bytes.length > bounds.headerBytes) return unreadable(`more than ${bounds.headerBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return unreadable("not valid UTF-8");
  const { root, fault } = parseYaml(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"), bounds);
  if (fault !== undefined) return unreadable(fault.message, fault.line);

  const reader = new ScopeReader(root, bounds);
  const declaration = reader.declaration();
  return reader.isUsable() ? { declaration, findings: reader.findings } : { findings: reader.findings };
}

function unreadable(message: string, line = 1): { findings: Finding[] } {
  return { findings: [finding("scope.unreadable", message, scopeFile, line)] };
}

const { rules: mostRules, ruleSkill, ruleReason } = limits.scope;

class ScopeReader {
  readonly findings: Finding[] = [];
  readonly #root: YamlMap;
  readonly #bounds: SkillLimits;

  constructor(root: YamlMap, bounds: SkillLimits) {
    this.#root = root;
    this.#bounds = bounds;
    this.#checkKeys();
  }

  isUsable(): boolean {
    return this.findings.every(({ code }) => code === "scope.repeats");
  }

  declaration(): ScopeDeclaration {
    return {
      version: this.#text("version"),
      allowedTools: this.#allowedTools(),
      forbiddenTools: this.#tools("forbidden_tools"),
      executionProtocol: this.#steps("execution_protocol"),
      preconditions: this.#steps("preconditions"),
      postconditions: this.#steps("postconditions"),
      outputContract: this.#output("output_contract"),
      compatibilityRules: this.#rules("compatibility_rules"),
      composabilityRules: this.#rules("composability_rules"),
    };
  }

  #checkKeys(): void {
    for (const [key, entry] of this.#root.entries) {
      if (key === "name" || key === "description")
        this.#say("scope.repeats", `"${key}" is SKILL.md's and is ignored here`, entry.line);
      else if (!Object.hasOwn(scopeFields, key))
        this.#say("scope.unknown", `"${safeLine(key, 64)}" is not a field of scope.yaml`, entry.line);
    }
    for (const [name, field] of Object.entries<ScopeField>(scopeFields))
      if (field.required === true && !this.#root.entries.has(name))
        this.#say("scope.missing", `"${name}" is required`, 1);
  }

  #allowedTools(): readonly string[] | "*" {
    const value = this.#value("allowed_tools");
    return value?.kind === "scalar" && value.text === "*" ? "*" : this.#tools("allowed_tools");
  }

  #tools(name: ScopeFieldName): string[] {
    const tools = this.#texts(name);
    const { toolEntries, toolBytes } = this.#bounds;
    if (tools.length > toolEntries || tools.some((tool) => Buffer.byteLength(tool) > toolBytes))
      this.#sayShape(name, `at most ${toolEntries} tools of at most ${toolBytes} bytes`);
    // As one of a list the star would be a tool's name, and a scope that matches nothing.
    if (tools.includes("*")) this.#sayShape(name, "tools by name, or `'*'` alone in place of the list");
    return tools;
  }

  #steps(name: ScopeFieldName): string[] {
    const texts = this.#texts(name);
    const { steps, stepCharacters } = limits.scope;
    if (texts.length > steps || texts.some((text) => text.length > stepCharacters))
      this.#sayShape(name, `at most ${steps} texts of at most ${stepCharacters} characters`);
    return texts;
  }

  #text(name: ScopeFieldName): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (value.kind !== "scalar" || value.text.length > limits.scope.version) {
      this.#sayShape(name, `text of at most ${limits.scope.version} characters`);
      return null;
    }
    return isNull(value) || value.text.trim() === "" ? null : value.text;
  }

  #texts(name: ScopeFieldName): string[] {
    const value = this.#value(name);
    if (value === undefined) return [];
    const texts = value.kind === "list" ? value.items.map(scalarText) : [undefined];
    if (texts.every((text) => text !== undefined)) return texts;
    this.#sayShape(name, "a list of texts");
    return [];
  }

  #output(name: ScopeFieldName): ScopeDeclaration["outputContract"] {
    const value = this.#value(name);
    if (value === undefined || (value.kind === "scalar" && isNull(value))) return null;
    const type = value.kind === "map" ? scalarText(value.entries.get("type")?.value) : undefined;
    if (value.kind === "map" && isWithin(type, limits.scope.outputType) && hasOnly(value, ["type", "schema"])) {
      const schema = value.entries.get("schema");
      return { type, schema: schema === undefined ? null : coreValue(schema.value) };
    }
    this.#sayShape(name, `\`type\` of at most ${limits.scope.outputType} characters and optionally \`schema\``);
    return null;
  }

  #rules(name: "compatibility_rules" | "composability_rules"): ScopeRule[] {
    const value = this.#value(name);
    if (value === undefined) return [];
    const { types } = scopeFields[name];
    const rules = value.kind === "list" ? value.items.map((item) => ruleOf(item, types)) : [undefined];
    if (!rules.every((rule) => rule !== undefined)) {
      this.#sayShape(name, `a list of { type: ${types.join("|")}, skill, reason? }`);
      return [];
    }
    if (rules.length > mostRules || rules.some(isLongRule))
      this.#sayShape(
        name,
        `at most ${mostRules} rules, each with a skill of at most ${ruleSkill} and a reason of at most ${ruleReason} characters`,
      );
    return rules;
  }

  #entry(name: ScopeFieldName): YamlEntry | undefined {
    return this.#root.entries.get(name);
  }

  #value(name: ScopeFieldName): YamlNode | undefined {
    return this.#entry(name)?.value;
  }

  #sayShape(name: ScopeFieldName, wanted: string): void {
    this.#say("scope.type", `"${name}" must be ${wanted}`, this.#entry(name)?.line ?? 1);
  }

  #say(code: FaultCode, message: string, line: number): void {
    this.findings.push(finding(code, message, scopeFile, line));
  }
}

function ruleOf(node: YamlNode, types: readonly string[]): ScopeRule | undefined {
  if (node.kind !== "map" || !hasOnly(node, ["type", "skill", "reason"])) return undefined;
  const type = scalarText(node.entries.get("type")?.value);
  const skill = scalarText(node.entries.get("skill")?.value);
  const reason = node.entries.get("reason");
  if (type === undefined || !types.includes(type) || skill === undefined) return undefined;
  return { type, skill, reason: scalarText(reason?.value) ?? null };
}

function isLongRule({ skill, reason }: ScopeRule): boolean {
  return skill.length > ruleSkill || (reason !== null && reason.length > ruleReason);
}

function isWithin(text: string | undefined, longest: number): text is string {
  return text !== undefined && text.length <= longest;
}

function hasOnly(map: YamlMap, keys: readonly string[]): boolean {
  return [...map.entries.keys()].every((key) => keys.includes(key));
}

/** The text of a scalar that has any. */
function scalarText(node: YamlNode | undefined): string | undefined {
  return node?.kind === "scalar" && node.text.trim() !== "" ? node.text.trim() : undefined;
}
