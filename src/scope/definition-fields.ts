import { isSourceId } from "../core/ids.ts";
import { isRecord } from "../core/json/json.ts";
import { limits } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { Value } from "../skill/core-value.ts";
import type { ScopeDeclaration, ScopeRule } from "../skill/scope-file.ts";
import type { ContractSource, Origin } from "./capability.ts";

const { toolEntries, toolBytes, yamlDepth, yamlNodes, fileBytes } = limits.skill.workspace;
const bounds = {
  ...limits.scope,
  name: 1024,
  description: 4096,
  entry: 4096,
  schemaText: 64 * 1024,
};
/** A bundle's own and those of its `disallowed-tools` are united. */
const forbiddenEntries = 2 * toolEntries;

const definitionFields = [
  "name",
  "description",
  "version",
  "allowedTools",
  "forbiddenTools",
  "executionProtocol",
  "preconditions",
  "postconditions",
  "outputContract",
  "compatibilityRules",
  "composabilityRules",
] as const;
const originFields = ["source", "entry", "digest", "contract"] as const;

export interface DefinitionFields {
  readonly name: string;
  readonly description: string;
  readonly declaration: ScopeDeclaration;
  readonly origin: Partial<Origin>;
}

/**
 * Copies what code handed over. Neither its types nor its getters are trusted: each property is read once, and whatever
 * goes wrong on the way is a text that says so, never a throw.
 */
export function readFields(definition: unknown, origin: unknown): DefinitionFields | string {
  const reader = new FieldReader();
  try {
    return reader.read(definition, origin);
  } catch {
    // What was thrown is not looked at: it can be as hostile as what threw it.
    return reader.fault ?? "reading it failed: a getter or a proxy threw";
  }
}

class FieldReader {
  fault: string | null = null;
  #schemaNodes = 0;
  #isBundle = false;

  read(definition: unknown, origin: unknown): DefinitionFields {
    const whence = this.#origin(origin);
    // What has the digest of a bundle was written in its files.
    this.#isBundle = whence.digest !== undefined;
    const fields = this.#fields(definition, "the definition", definitionFields);
    return {
      name: this.#text(fields.get("name"), "name", bounds.name),
      description: this.#text(fields.get("description"), "description", bounds.description),
      declaration: this.#declaration(fields),
      origin: whence,
    };
  }

  #declaration(fields: ReadonlyMap<string, unknown>): ScopeDeclaration {
    const steps = (value: unknown, name: string) => this.#texts(value, name, bounds.steps, bounds.stepCharacters);
    return {
      version: optional(fields.get("version"), (value) => this.#text(value, "version", bounds.version)),
      allowedTools: this.#allowed(fields.get("allowedTools")),
      forbiddenTools: this.#tools(listIn(fields, "forbiddenTools"), "forbiddenTools", forbiddenEntries),
      executionProtocol: steps(fields.get("executionProtocol"), "executionProtocol"),
      preconditions: steps(listIn(fields, "preconditions"), "preconditions"),
      postconditions: steps(listIn(fields, "postconditions"), "postconditions"),
      outputContract: optional(fields.get("outputContract"), (value) => this.#output(value)),
      compatibilityRules: this.#rules(fields, "compatibilityRules", ["requires", "incompatible"]),
      composabilityRules: this.#rules(fields, "composabilityRules", ["requires", "forbids"]),
    };
  }

  #origin(origin: unknown): Partial<Origin> {
    const fields = this.#fields(origin, "the origin", originFields);
    const [source, entry, digest] = [fields.get("source"), fields.get("entry"), fields.get("digest")];
    if (source !== undefined && !(typeof source === "string" && isSourceId(source)))
      this.#refuse('"source" must be the id of a source');
    return {
      ...(typeof source === "string" && { source }),
      ...(entry !== undefined && { entry: this.#text(entry, "entry", bounds.entry) }),
      ...(digest !== undefined && { digest: this.#digest(digest) }),
      ...(fields.has("contract") && { contract: optional(fields.get("contract"), (value) => this.#contract(value)) }),
    };
  }

  #contract(value: unknown): ContractSource {
    const fields = this.#fields(value, '"contract"', ["digest", "code"]);
    const code = fields.get("code");
    if (typeof code !== "string" || code.length > fileBytes || Buffer.byteLength(code) > fileBytes)
      this.#refuse(`"code" of the contract must be text of at most ${fileBytes} bytes`);
    return { digest: this.#digest(fields.get("digest")), code };
  }

  #digest(value: unknown): string {
    if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) return value;
    return this.#refuse('"digest" must be 64 hexadecimal digits');
  }

  #allowed(value: unknown): ScopeDeclaration["allowedTools"] {
    return value === "*" ? "*" : this.#tools(value, "allowedTools", toolEntries);
  }

  #tools(value: unknown, name: string, most: number): string[] {
    return this.#list(value, name, most).map((tool) => {
      if (typeof tool === "string" && tool.length <= toolBytes && Buffer.byteLength(tool) <= toolBytes) return tool;
      return this.#refuse(`${this.#named(name)} must be tools of at most ${toolBytes} bytes each`);
    });
  }

  #texts(value: unknown, name: string, most: number, longest: number): string[] {
    return this.#list(value, name, most).map((text) => this.#text(text, name, longest));
  }

  #output(value: unknown): ScopeDeclaration["outputContract"] {
    const fields = this.#fields(value, this.#named("outputContract"), ["type", "schema"]);
    const type = this.#text(fields.get("type"), "type", bounds.outputType);
    return { type, schema: this.#plain(fields.get("schema") ?? null, 0) };
  }

  #rules(fields: ReadonlyMap<string, unknown>, name: string, types: readonly string[]): ScopeRule[] {
    return this.#list(listIn(fields, name), name, bounds.rules).map((value) => {
      const rule = this.#fields(value, `a rule of ${this.#named(name)}`, ["type", "skill", "reason"]);
      const type = rule.get("type");
      if (typeof type !== "string" || !types.includes(type))
        this.#refuse(`the type of a rule of ${this.#named(name)} must be ${types.join(" or ")}`);
      const skill = this.#text(rule.get("skill"), "skill", bounds.ruleSkill);
      return {
        type,
        skill,
        reason: optional(rule.get("reason"), (text) => this.#text(text, "reason", bounds.ruleReason)),
      };
    });
  }

  /** The own properties of a plain object, each read once. One that nobody knows may be a restriction, misspelt. */
  #fields(value: unknown, what: string, known: readonly string[]): ReadonlyMap<string, unknown> {
    if (!isPlainObject(value)) this.#refuse(`${what} must be a plain object`);
    const fields = new Map<string, unknown>();
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key !== "string" || !known.includes(key))
        this.#refuse(`${what} has the unknown field "${safeLine(key.toString(), 64)}"`);
      const field: unknown = Reflect.get(value, key);
      if (field !== undefined) fields.set(key, field);
    }
    return fields;
  }

  #list(value: unknown, name: string, most: number): unknown[] {
    if (!Array.isArray(value)) this.#refuse(`${this.#named(name)} must be a list`);
    const length: unknown = value.length;
    if (typeof length !== "number" || !(length <= most))
      this.#refuse(`${this.#named(name)} has more than ${most} entries`);
    const items: unknown[] = [];
    for (let at = 0; at < length; at++) items.push(value[at]);
    return items;
  }

  #text(value: unknown, name: string, longest: number): string {
    if (typeof value === "string" && value.length <= longest && value.trim() !== "") return value;
    return this.#refuse(`${this.#named(name)} must be text of 1 to ${longest} characters`);
  }

  #plain(value: unknown, depth: number): Value {
    if (depth > yamlDepth || ++this.#schemaNodes > yamlNodes) this.#refuse("the schema is larger than may be kept");
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string" && value.length <= bounds.schemaText) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return this.#list(value, "schema", yamlNodes).map((item) => this.#plain(item, depth + 1));
    return this.#plainObject(value, depth);
  }

  #plainObject(value: unknown, depth: number): Value {
    if (!isPlainObject(value)) this.#refuse("the schema must be plain JSON");
    const copy: Record<string, Value> = Object.create(null);
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key !== "string" || key.length > bounds.schemaText) this.#refuse("the schema must be plain JSON");
      copy[key] = this.#plain(Reflect.get(value, key), depth + 1);
    }
    return copy;
  }

  /** A field as whoever wrote it knows it: in `scope.yaml` it is `allowed_tools`. */
  #named(field: string): string {
    return `"${this.#isBundle ? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : field}"`;
  }

  #refuse(fault: string): never {
    this.fault = fault;
    throw new TypeError(fault);
  }
}

/** A list that may be left out; null is something else, and refused. */
function listIn(fields: ReadonlyMap<string, unknown>, name: string): unknown {
  return fields.has(name) ? fields.get(name) : [];
}

function optional<Read>(value: unknown, read: (value: unknown) => Read): Read | null {
  return value === undefined || value === null ? null : read(value);
}

/** What a prototype adds would be overlooked, so that nothing but a plain object is taken. */
function isPlainObject(value: unknown): value is object {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
