import { AppError } from "../core/error.ts";
import { nearestFew } from "../core/nearest.ts";
import { nameKey } from "../core/text.ts";
import { createBundle } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import type { CommandContext } from "../agent/commands/command.ts";
import type { AgentSkill, AgentSkills, OpenedSkill, SkillChange, SkillSet } from "../agent/skills/agent-skill.ts";

/** A skill in memory: what the set says of it, and its files, which may be others by now. */
export interface MemorySkill extends AgentSkill {
  readonly files: Readonly<Record<string, string>>;
  /** What opening it says, if it fails. */
  readonly fails?: string;
}

export function memorySkill(name: string, changes: Partial<MemorySkill> = {}): MemorySkill {
  const about = `About ${name}.`;
  const files = { "SKILL.md": `---\nname: ${name}\ndescription: ${about}\n---\nDo ${name}: $ARGUMENTS\n` };
  const bundle = createBundle(name, encodeFiles(changes.files ?? files));
  return {
    entry: `project:${name}`,
    path: name,
    folder: `/skills/${name}`,
    name,
    description: about,
    digest: bundle.digest,
    unusable: null,
    byModel: true,
    byPerson: true,
    argumentHint: null,
    asks: [],
    approved: null,
    findings: [],
    origin: "project",
    alias: name,
    standing: "confirmed",
    trust: "first_party",
    grants: [],
    files,
    ...changes,
  };
}

/** A context in memory that writes down what was done with it, in order. */
export interface MemoryContext extends CommandContext {
  readonly log: string[];
  /** What the set holds from now on. */
  put(skills: readonly MemorySkill[]): void;
}

export function memoryContext(skills: readonly MemorySkill[], changes: Partial<CommandContext> = {}): MemoryContext {
  const log: string[] = [];
  const did = (what: string): Promise<void> => {
    log.push(what);
    return Promise.resolve();
  };
  const kept = new MemorySkills(skills, did);
  return {
    log,
    put: (now) => kept.put(now),
    skills: kept,
    isAttended: true,
    confirm: async (meant, options) => void (await kept.confirm(meant, options)),
    emit: ({ type }) => void log.push(`emit ${type}`),
    reload: () => kept.reload(),
    context: () => Promise.resolve([]),
    route: () => Promise.resolve({ matches: [], abstained: true, ambiguous: false }),
    spawner: {
      spawn: () => Promise.resolve({ status: "forbidden", error: "there are no sub-agents here", findings: [] }),
    },
    capability: ({ entry }) => Promise.resolve(`id of ${entry}`),
    builtIns: ["general-executor"],
    scope: null,
    hold: (held) => did(`hold ${aliasesOf(held)}`),
    release: () => did("release"),
    tools: () => [],
    rules: () => Promise.resolve({ state: "none", bytes: 0, note: "" }),
    confirmRules: () => did("confirm rules"),
    fresh: () => did("fresh"),
    compact: () => did("compact").then(() => true),
    used: (use, { alias }) => void log.push(`${use} ${alias}`),
    ...changes,
  };
}

class MemorySkills implements AgentSkills {
  readonly folders = [];

  noteActed(): void {}

  readonly #did: (what: string) => Promise<void>;
  #skills: readonly MemorySkill[] = [];
  #generation = 0;

  constructor(skills: readonly MemorySkill[], did: (what: string) => Promise<void>) {
    this.#did = did;
    this.put(skills);
  }

  get set(): SkillSet {
    return { generation: this.#generation, skills: this.#skills, findings: [] };
  }

  put(skills: readonly MemorySkill[]): void {
    this.#skills = skills;
    this.#generation += 1;
  }

  loadSkills(): Promise<SkillChange> {
    return this.reload();
  }

  async reload(): Promise<SkillChange> {
    await this.#did("reload");
    return this.#change([]);
  }

  find(name: string): ReturnType<AgentSkills["find"]> {
    const key = nameKey(name);
    const byAlias = this.#skills.find(({ alias, entry }) => nameKey(alias) === key || entry === name);
    if (byAlias !== undefined) return { is: "one", skill: byAlias };
    const named = this.#skills.filter((skill) => nameKey(skill.name) === key);
    if (named.length > 0) return { is: "several", skills: named };
    const aliases = this.#skills.map(({ alias }) => alias);
    return { is: "none", near: nearestFew(name, aliases, 5) };
  }

  async confirm(skills: readonly AgentSkill[], { grants }: { readonly grants: boolean }): Promise<SkillChange> {
    await this.#did(`confirm ${aliasesOf(skills)}${grants ? " with grants" : ""}`);
    const entries = new Set(skills.map(({ entry }) => entry));
    this.put(this.#skills.map((skill) => (entries.has(skill.entry) ? confirmed(skill, grants) : skill)));
    return this.#change(skills.map(({ alias }) => alias));
  }

  noteWritten(path: string): void {
    void this.#did(`written ${path}`);
  }

  async read(skill: AgentSkill) {
    return (await this.open(skill)).bundle;
  }

  async open(of: AgentSkill): Promise<OpenedSkill> {
    const kept = this.#skills.find(({ entry }) => entry === of.entry);
    if (kept === undefined || kept.fails !== undefined)
      throw new AppError("entry.unusable", kept?.fails ?? "it is gone");
    const bundle = createBundle(of.name, encodeFiles(kept.files));
    const { skill, findings } = parse(bundle, "workspace");
    if (skill === undefined) throw new AppError("entry.unusable", "it cannot be read");
    return { of, bundle, skill, findings };
  }

  #change(confirmedOnes: readonly string[]): SkillChange {
    const nothing = { added: [], changed: [], removed: [], findings: [] };
    return { generation: this.#generation, confirmed: confirmedOnes, ...nothing };
  }
}

function confirmed(skill: MemorySkill, grants: boolean): MemorySkill {
  return { ...skill, standing: "confirmed", trust: "first_party", grants: grants ? skill.asks : skill.grants };
}

function aliasesOf(skills: readonly AgentSkill[]): string {
  return skills.map(({ alias }) => alias).join(", ");
}

function encodeFiles(files: Readonly<Record<string, string>>): readonly (readonly [string, Uint8Array])[] {
  return Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const);
}
