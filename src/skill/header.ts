import type { Finding } from "../core/finding.ts";
import type { Profile, SkillLimits } from "../core/limits.ts";
import { countCharacters, safeLine } from "../core/text.ts";
import { skillFile } from "./bundle.ts";
import { coreValue, isNull, type Value } from "./core-value.ts";
import { headerLine } from "./document.ts";
import { type FaultCode, finding } from "./faults.ts";
import { scalarsOf, shapeOf, sizeOf, splitWords, textOf, wordsOf } from "./field-values.ts";
import {
  type Field,
  type FieldName,
  fields,
  type Kind,
  kinds,
  type Manifest,
  spellings,
  splitTools,
} from "./manifest.ts";
import { checkName } from "./name.ts";
import type { YamlEntry, YamlMap, YamlNode } from "./yaml.ts";

/** A header read: the manifest, and the front-matter as any YAML reader sees it. */
export interface Header {
  readonly manifest: Manifest;
  readonly frontmatter: { readonly [key: string]: Value };
  /** The line of SKILL.md on which a field stands. */
  readonly lineOf: (name: FieldName) => number;
  readonly findings: readonly Finding[];
}

/** Reads the manifest out of a header's YAML. `root` is null when the file has none. */
export function readHeader(root: YamlMap | null, folder: string, profile: Profile, bounds: SkillLimits): Header {
  const reader = new HeaderReader(root?.entries ?? new Map(), profile, bounds);
  const manifest = reader.manifest(folder);
  const frontmatter = reader.frontmatter();
  return { manifest, frontmatter, lineOf: (name) => reader.lineOf(name), findings: reader.findings };
}

class HeaderReader {
  readonly findings: Finding[] = [];
  readonly #entries: ReadonlyMap<string, YamlEntry>;
  readonly #profile: Profile;
  readonly #bounds: SkillLimits;

  constructor(entries: ReadonlyMap<string, YamlEntry>, profile: Profile, bounds: SkillLimits) {
    this.#entries = entries;
    this.#profile = profile;
    this.#bounds = bounds;
  }

  manifest(folder: string): Manifest {
    const metadata = this.#textMap("metadata");
    return {
      name: this.#name(folder),
      description: this.#description(),
      license: this.#text("license"),
      compatibility: this.#text("compatibility"),
      metadata,
      kind: this.#kind(),
      allowedTools: this.#tools("allowed-tools"),
      disallowedTools: this.#tools("disallowed-tools"),
      inputs: this.#words("inputs", metadata),
      outputs: this.#words("outputs", metadata),
      triggers: this.#words("triggers", metadata),
      aliases: this.#words("aliases", metadata),
      paths: this.#words("paths", metadata),
      modelInvocable: !this.#flag("disable-model-invocation", false, true),
      userInvocable: this.#flag("user-invocable", true, false),
    };
  }

  lineOf(name: FieldName): number {
    return lineOf(this.#find(name)[0]);
  }

  /** All fields as they stand; the unknown ones only within their bounds (SK-8). */
  frontmatter(): { readonly [key: string]: Value } {
    const kept: Record<string, Value> = Object.create(null);
    const budget = { bytes: this.#bounds.extraBytes, keys: this.#bounds.extraKeys };
    for (const [key, entry] of this.#entries) {
      const known = spellings.get(key);
      if (known?.name !== key || !known.field.public) this.#sayUnknown(key, entry);
      if (known === undefined && !this.#fits(key, entry.value, budget)) {
        this.#say(
          "field.bounds",
          `"${safeLine(key, 64)}" was dropped: with it the unknown fields are too large, too deep or too many`,
          entry,
        );
        continue;
      }
      kept[key] = coreValue(entry.value);
    }
    return kept;
  }

  #sayUnknown(key: string, entry: YamlEntry): void {
    this.#say("field.unknown", `"${safeLine(key, 64)}" is not a field of the public specification`, entry);
    if (key === "hooks") this.#say("hooks.ignored", "hooks are never run", entry);
  }

  #fits(key: string, value: YamlNode, budget: { bytes: number; keys: number }): boolean {
    const size = sizeOf(value);
    budget.bytes -= Buffer.byteLength(key) + size.bytes;
    budget.keys -= 1 + size.keys;
    return budget.bytes >= 0 && budget.keys >= 0 && size.depth <= this.#bounds.extraDepth;
  }

  #name(folder: string): string {
    const entry = this.#entry("name");
    const name = textOf(entry)?.trim() ?? "";
    this.#checkComment("name", entry);
    if (name !== "") {
      this.findings.push(...checkName(name, folder, lineOf(entry)));
      return name;
    }
    this.#say("name.missing", missing("name", entry), entry);
    return folder;
  }

  #description(): string | null {
    const entry = this.#entry("description");
    const text = textOf(entry);
    if (text === undefined || text.trim() === "") {
      this.#say("description.missing", missing("description", entry), entry);
      return null;
    }
    this.#checkLength("description", text, entry);
    this.#checkComment("description", entry);
    if (this.#profile === "registry" && isVague(text))
      this.#say("description.vague", "the description does not say enough for a router to select on", entry);
    return text.trim();
  }

  #text(name: FieldName): string | null {
    const entry = this.#entry(name);
    if (entry === undefined) return null;
    const text = textOf(entry);
    if (text === undefined) {
      this.#sayShape(name, "text", entry);
      return null;
    }
    this.#checkLength(name, text, entry);
    this.#checkLiteral(name, entry);
    return text.trim() === "" ? null : text;
  }

  #checkLiteral(name: FieldName, entry: YamlEntry): void {
    const { literal }: Field = fields[name];
    if (literal === true && !["string", "object"].includes(typeof coreValue(entry.value)))
      this.#sayShape(name, "text in quotes, since other readers refuse a number or a boolean", entry);
  }

  /** An author who writes `fixes issue #12` loses the rest; a comment behind other fields is more likely meant. */
  #checkComment(name: FieldName, entry: YamlEntry | undefined): void {
    if (entry?.value.kind === "scalar" && entry.value.commented)
      this.#say("yaml.comment", `the text of "${name}" after \` #\` is a comment and is not read`, entry);
  }

  #checkLength(name: FieldName, text: string, entry: YamlEntry | undefined): void {
    const { length: bound }: Field = fields[name];
    const length = countCharacters(text);
    if (bound === undefined || (length >= bound.min && length <= bound.max)) return;
    const message = `"${name}" has ${length} characters; ${bound.min} to ${bound.max} are allowed`;
    this.#say("field.length", message, entry);
  }

  #textMap(name: FieldName): { readonly [key: string]: string } {
    const map: Record<string, string> = Object.create(null);
    const entry = this.#entry(name);
    if (entry === undefined || isNull(entry.value)) return map;
    if (entry.value.kind !== "map") {
      this.#sayShape(name, "a map of text to text", entry);
      return map;
    }
    for (const [key, value] of entry.value.entries) {
      const text = textOf(value);
      if (text === undefined) this.#sayShape(`${name}.${key}`, "text", value);
      else map[key] = text;
    }
    return map;
  }

  #kind(): Kind {
    const entry = this.#entry("kind") ?? this.#inMetadata("kind");
    const stated = entry === undefined ? undefined : (textOf(entry)?.trim() ?? shapeOf(entry.value));
    const kind = kinds.find((known) => known === stated);
    const choices = kinds.map((known) => `\`${known}\``).join(" or ");
    if (stated !== undefined && kind === undefined)
      this.#say("kind.unknown", `"${safeLine(stated, 64)}" is not a kind; write ${choices}`, entry);
    if (stated === undefined && this.#profile === "registry")
      this.#say("kind.missing", `the kind is not stated; write ${choices} in metadata.kind`, entry);
    return kind ?? "tool";
  }

  #words(name: FieldName, metadata: { readonly [key: string]: string }): string[] {
    const entry = this.#entry(name);
    const { portable }: Field = fields[name];
    if (entry === undefined) return portable === true ? splitWords(metadata[name] ?? "") : [];
    const list = wordsOf(entry.value);
    if (list === undefined) this.#sayShape(name, "a list, or words with commas", entry);
    return list ?? [];
  }

  #tools(name: FieldName): string[] | null {
    const entry = this.#entry(name);
    if (entry === undefined) return null;
    const value = coreValue(entry.value);
    const tools = typeof value === "string" ? splitTools(value) : value === null ? [] : scalarsOf(entry.value);
    if (tools === undefined) this.#sayShape(name, "tools separated by spaces", entry);
    else if (typeof value !== "string" || tools.join(" ") !== value.trim().replace(/\s+/g, " "))
      this.#say("tools.form", `"${name}" is read; the public form is one string with spaces`, entry);
    return this.#boundTools(name, tools ?? [], entry);
  }

  #boundTools(name: FieldName, tools: readonly string[], entry: YamlEntry): string[] {
    const { toolEntries, toolBytes } = this.#bounds;
    const short = tools.filter((tool) => Buffer.byteLength(tool) <= toolBytes);
    const kept = short.slice(0, toolEntries);
    const dropped = tools.length - kept.length;
    const most = `at most ${toolEntries} of at most ${toolBytes} bytes are kept`;
    if (dropped > 0) this.#say("tools.bounds", `"${name}": ${dropped} of ${tools.length} were dropped; ${most}`, entry);
    return kept;
  }

  /** A value that is neither true nor false reads as the safest. */
  #flag(name: FieldName, absent: boolean, safest: boolean): boolean {
    const entry = this.#entry(name);
    if (entry === undefined) return absent;
    const word = textOf(entry)?.trim().toLowerCase();
    if (word === "true" || word === "false") return word === "true";
    this.#sayShape(name, "true or false", entry);
    return safest;
  }

  /** The field under the first of its spellings that is there. */
  #entry(name: FieldName): YamlEntry | undefined {
    const [first, second] = this.#find(name);
    if (second !== undefined)
      this.#say("field.twice", `"${name}" stands here under two spellings; the first counts`, second);
    return first;
  }

  #find(name: FieldName): YamlEntry[] {
    const { also = [] }: Field = fields[name];
    return [name, ...also].flatMap((spelling) => this.#entries.get(spelling) ?? []);
  }

  #inMetadata(name: FieldName): YamlEntry | undefined {
    const metadata = this.#entries.get("metadata")?.value;
    return metadata?.kind === "map" ? metadata.entries.get(name) : undefined;
  }

  #sayShape(name: string, wanted: string, entry: YamlEntry): void {
    this.#say("field.type", `"${safeLine(name, 64)}" is ${shapeOf(entry.value)}; expected ${wanted}`, entry);
  }

  #say(code: FaultCode, message: string, entry: YamlEntry | undefined): void {
    this.findings.push(finding(code, message, skillFile, lineOf(entry)));
  }
}

function lineOf(entry: YamlEntry | undefined): number {
  return entry === undefined ? 1 : entry.line + headerLine - 1;
}

function missing(name: string, entry: YamlEntry | undefined): string {
  return entry === undefined ? `there is no "${name}"` : `"${name}" is ${shapeOf(entry.value)}; expected text`;
}

/** Fewer than six words cannot say both what a skill does and when to use it. */
function isVague(description: string): boolean {
  return description.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "").length < 6;
}
