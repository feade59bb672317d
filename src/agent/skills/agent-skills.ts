import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { blocks, type Finding } from "../../core/finding.ts";
import { parseEntryId } from "../../core/ids.ts";
import { createMutex } from "../../core/async.ts";
import type { Bundle } from "../../skill/bundle.ts";
import { agentFinding } from "../agent-faults.ts";
import type {
  AgentSkill,
  AgentSkills,
  FoundSkill,
  LoadedRoot,
  OpenedSkill,
  RootSkill,
  SkillChange,
  SkillRoot,
  SkillSet,
  TrustBook,
} from "./agent-skill.ts";
import { changesBetween, isSameSet, newFindings } from "./changes.ts";
import { collapseTwins, findSkill, withAliases } from "./names.ts";
import { openSkill, readBytes, type ScanBundle, unusable } from "./open-skill.ts";
import { markOf, trustOf, type TrustState, WrittenPaths } from "./trust.ts";

interface AgentSkillsOptions {
  readonly book: TrustBook;
  /** Whoever started the agent vouches for the workspace. Not for what the agent writes into it. */
  readonly trustAll?: boolean;
  readonly scan: ScanBundle;
}

export function createAgentSkills(options: AgentSkillsOptions): AgentSkills {
  return new LoadedSkills(options);
}

interface KnownRoot {
  readonly root: SkillRoot;
  readonly loaded: LoadedRoot;
  /** Why its last loading failed; what it gave before is there still. */
  readonly failed: Finding | null;
}

const nothing: LoadedRoot = { skills: [], findings: [], folders: [] };

class LoadedSkills implements AgentSkills {
  readonly #options: AgentSkillsOptions;
  /** One at a time: whatever changes the set. */
  readonly #inTurn = createMutex();
  readonly #roots = new Map<string, KnownRoot>();
  readonly #written = new WrittenPaths();
  /** What was there before a tool ran that may have written anything; null before one did. */
  #before: ReadonlySet<string> | null = null;
  /** What a person said in this session, with the folder it is about. */
  readonly #said = new Map<Digest, string>();
  #book: Awaited<ReturnType<TrustBook["read"]>> = { marks: new Set(), findings: [] };
  #set: SkillSet = { generation: 0, skills: [], findings: [] };
  /** As somebody was last told. */
  #told: SkillSet = this.#set;
  #nextReload: Promise<SkillChange> | null = null;

  constructor(options: AgentSkillsOptions) {
    this.#options = options;
  }

  get set(): SkillSet {
    return this.#set;
  }

  get folders(): readonly string[] {
    return [...new Set([...this.#roots.values()].flatMap(({ loaded }) => loaded.folders))];
  }

  loadSkills(root: SkillRoot): Promise<SkillChange> {
    return this.#inTurn(async () => {
      await this.#loadRoots([root]);
      return this.#tell();
    });
  }

  reload(): Promise<SkillChange> {
    // Whoever comes while one is under way may know of something that it did not see: one more run is for all of them.
    this.#nextReload ??= this.#inTurn(async () => {
      this.#nextReload = null;
      await this.#loadRoots([...this.#roots.values()].map(({ root }) => root));
      return this.#tell();
    });
    return this.#nextReload;
  }

  find(name: string): FoundSkill {
    return findSkill(this.#set.skills, name);
  }

  confirm(skills: readonly AgentSkill[], { grants }: { readonly grants: boolean }): Promise<SkillChange> {
    return this.#inTurn(async () => {
      const kinds = grants ? (["skill", "grants"] as const) : (["skill"] as const);
      const said = skills.flatMap((skill) => kinds.map((kind) => ({ kind, skill, mark: markOf(kind, skill) })));
      const marks = said.flatMap(({ kind, skill, mark }) =>
        mark === null ? [] : [{ mark, note: noteOf(kind, skill) }],
      );
      await this.#options.book.add(marks);
      this.#book = { ...this.#book, marks: new Set([...this.#book.marks, ...marks.map(({ mark }) => mark)]) };
      for (const { mark, skill } of said) if (mark !== null) this.#said.set(mark, skill.folder ?? "");
      this.#settle();
      return this.#tell();
    });
  }

  noteWritten(path: string): void {
    this.#written.add(path);
    // A word that was said before the writing is no word for what is written.
    for (const [mark, folder] of this.#said) if (`${path}/`.startsWith(`${folder}/`)) this.#said.delete(mark);
    const isOfSkill = [...this.#roots.values()].some(({ loaded }) =>
      loaded.skills.some((skill) => this.#written.isIn(skill)),
    );
    if (isOfSkill) this.#settle();
  }

  noteActed(): void {
    this.#before ??= new Set([...this.#roots.values()].flatMap(({ loaded }) => loaded.skills.map(bytesOf)));
  }

  async read(skill: AgentSkill): Promise<Bundle> {
    const { root, current } = this.#current(skill);
    return await readBytes(root, current);
  }

  async open(skill: AgentSkill): Promise<OpenedSkill> {
    const { root, current } = this.#current(skill);
    return await openSkill(root, current, this.#options.scan);
  }

  /** The skill as the set has it by now: its standing may be another one than when it was found. */
  #current(skill: AgentSkill): { root: SkillRoot; current: AgentSkill } {
    const current = this.#set.skills.find((each) => each.entry === skill.entry);
    // Entries of the registry are of many sources, and it is one root.
    const { entry, origin } = skill;
    const source = parseEntryId(entry)?.source;
    const roots = [...this.#roots.values()].map((known) => known.root);
    const root = roots.find((each) => each.origin === origin && (origin === "registry" || each.id === source));
    if (current === undefined || root === undefined) throw unusable(skill, "it is not there any more");
    if (current.digest !== skill.digest) throw unusable(skill, "it is another one since it was found");
    return { root, current };
  }

  async #loadRoots(roots: readonly SkillRoot[]): Promise<void> {
    const loaded = await Promise.all(roots.map((root) => this.#load(root)));
    const book = await this.#readBook();
    // From here on nothing waits: the set is the old one or the new one.
    for (const each of loaded) this.#roots.set(each.root.id, each);
    this.#book = book;
    this.#settle();
  }

  async #load(root: SkillRoot): Promise<KnownRoot> {
    try {
      return { root, loaded: await root.load(), failed: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A person who removes a folder of their own means what was in it.
      if (error.code === "path.missing" && root.origin === "user") return { root, loaded: nothing, failed: null };
      const loaded = this.#roots.get(root.id)?.loaded ?? nothing;
      const words = `${error.message}; what it gave before stays: skills ${loaded.skills.length}`;
      return { root, loaded, failed: agentFinding("agent.root-failed", root.id, words) };
    }
  }

  /** A book that cannot be read vouches for nothing. */
  async #readBook(): Promise<Awaited<ReturnType<TrustBook["read"]>>> {
    try {
      return await this.#options.book.read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { marks: new Set(), findings: [agentFinding("agent.trust-unread", "trust", error.message)] };
    }
  }

  /** The set as it follows from all that is known. The generation is the next one exactly when it is another set. */
  #settle(): void {
    const before = this.#before;
    const state: TrustState = {
      marks: this.#book.marks,
      said: new Set(this.#said.keys()),
      written: this.#written,
      trustAll: this.#options.trustAll ?? false,
      vouches: (skill) => before === null || before.has(bytesOf(skill)),
    };
    const roots = [...this.#roots.values()];
    const trusted = roots.flatMap(({ root: { origin }, loaded }) =>
      loaded.skills.map((skill) => ({ ...skill, origin, ...trustOf(skill, origin, state) })),
    );
    const unique = collapseTwins(trusted);
    const named = withAliases(unique.skills);
    const ofRoots = roots.flatMap(({ loaded, failed }) => (failed === null ? loaded.findings : [failed]));
    const isSame = isSameSet(this.#set.skills, named.skills);
    this.#set = {
      generation: this.#set.generation + (isSame ? 0 : 1),
      skills: named.skills,
      findings: [...this.#book.findings, ...ofRoots, ...unique.findings, ...named.findings],
    };
  }

  /** What is another than when somebody was last told. */
  #tell(): SkillChange {
    const [before, after] = [this.#told, this.#set];
    this.#told = after;
    const changes = changesBetween(before.skills, after.skills);
    const isNew = new Set([...changes.added, ...changes.changed]);
    // Of a new skill what keeps it from being used; the rest is told where the skill is shown.
    const ofSkills = after.skills
      .filter(({ alias }) => isNew.has(alias))
      .flatMap(({ findings }) => findings.filter(blocks));
    const findings = [...newFindings(before.findings, after.findings), ...ofSkills];
    return { generation: after.generation, ...changes, findings };
  }
}

function bytesOf({ entry, digest }: RootSkill): string {
  return `${entry} ${digest}`;
}

function noteOf(kind: "skill" | "grants", { name, folder, digest }: AgentSkill): string {
  const what = kind === "skill" ? name : `what ${name} asks for`;
  return `${what} in ${folder ?? ""} (${digest ?? ""})`;
}
