import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import type { Bundle } from "../../skill/bundle.ts";
import type { Skill } from "../../skill/skill.ts";
import type { Trust } from "../../sources/trust.ts";

/** Whose a skill is: the workspace's, the person's own, or approved in the registry. */
export type SkillOrigin = "project" | "user" | "registry";

/**
 * AG-2. `confirmed`: a person said yes to exactly these bytes at exactly this place, or approved them in the registry.
 * `session`: the agent's own tools wrote it, so that it stays in the user role for as long as the session lasts.
 */
export type Standing = "confirmed" | "unconfirmed" | "session";

/** A skill as one root gives it, before names and trust are settled. */
export interface RootSkill {
  readonly entry: EntryId;
  /** Where it lies in its root, with `/`; empty when the root itself is the skill. */
  readonly path: string;
  /** The real path of its folder; null where it does not lie on this disk. */
  readonly folder: string | null;
  /** As it may be shown. */
  readonly name: string;
  readonly description: string;
  /** Null when it could not be read as a whole. */
  readonly digest: Digest | null;
  /** Why it cannot be used; null when it can. */
  readonly unusable: string | null;
  /** Whether a model may choose it: not with `disable-model-invocation`. */
  readonly byModel: boolean;
  /** Whether a person may call it: not with `user-invocable: false`. */
  readonly byPerson: boolean;
  readonly argumentHint: string | null;
  /** What it asks to have pre-approved (`allowed-tools`). */
  readonly asks: readonly string[];
  /** Of the registry: what people approved. Folders have none of their own. */
  readonly approved: { readonly trust: Trust; readonly grants: readonly string[] } | null;
  readonly findings: readonly Finding[];
}

/** What a root holds at one moment. */
export interface LoadedRoot {
  readonly skills: readonly RootSkill[];
  readonly findings: readonly Finding[];
  /** The folders that were looked into, for whoever watches them; none where nothing lies on this disk. */
  readonly folders: readonly string[];
}

/** Where skills come from: a folder tree, or the registry. What a root gave is replaced as a whole (AG-1). */
export interface SkillRoot {
  /** What the ids of its skills begin with: a source id, such as `project`. */
  readonly id: string;
  readonly origin: SkillOrigin;
  /** Rejects when it cannot be listed at all: what it gave before then stays. A file that fails is a finding. */
  load(): Promise<LoadedRoot>;
  /** The bytes of one skill at this moment, whatever they are by now. Rejects when they cannot be read. */
  open(entry: EntryId): Promise<Bundle>;
}

/** A skill of an agent, with its name among all others and its standing. */
export interface AgentSkill extends RootSkill {
  readonly origin: SkillOrigin;
  /** By what a person calls it: its name, or `source/name` or its entry where that name is also another's (SK-13). */
  readonly alias: string;
  readonly standing: Standing;
  readonly trust: Trust;
  /** What a person granted: of those that it asks for (CO-10). */
  readonly grants: readonly string[];
}

/** All skills at one moment. Nothing of it changes; whatever changes makes the next one (invariant 8). */
export interface SkillSet {
  readonly generation: number;
  /** In the order of their aliases. */
  readonly skills: readonly AgentSkill[];
  readonly findings: readonly Finding[];
}

/** What a loading, reloading or confirmation came to, by alias. The generation is another one exactly when something changed. */
export interface SkillChange {
  readonly generation: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly confirmed: readonly string[];
  /** What is new to say: of the roots that were loaded, and of those that failed and kept what they had. */
  readonly findings: readonly Finding[];
}

/** The bytes of a skill at the moment of use: hashed, compared with what the set has, parsed and scanned (CO-2). */
export interface OpenedSkill {
  readonly of: AgentSkill;
  readonly bundle: Bundle;
  readonly skill: Skill;
  /** What the scanner says of it. None of them blocks, or it would not have been opened. */
  readonly findings: readonly Finding[];
}

/** What a name stands for. */
export type FoundSkill =
  | { readonly is: "one"; readonly skill: AgentSkill }
  | { readonly is: "several"; readonly skills: readonly AgentSkill[] }
  /** With the aliases that are nearest to it. */
  | { readonly is: "none"; readonly near: readonly string[] };

/** What a person said yes to, kept outside any workspace (AG-2, T44). A mark is a hash of a real path and a digest. */
export interface TrustBook {
  /** All marks; those that cannot be read are none, with a finding. */
  read(): Promise<{ readonly marks: ReadonlySet<Digest>; readonly findings: readonly Finding[] }>;
  /** Written when it returns. `note` is for people who look into the book. */
  add(marks: readonly { readonly mark: Digest; readonly note: string }[]): Promise<void>;
}

/** The skills of an agent, of all its roots (AG-1, AG-2, AG-4). */
export interface AgentSkills {
  readonly set: SkillSet;
  /** Adds a root, or loads a known one anew; what the others gave stays. */
  loadSkills(root: SkillRoot): Promise<SkillChange>;
  /** All roots again. One after the other, however many ask: a second one that comes meanwhile sees what the first saw not. */
  reload(): Promise<SkillChange>;
  /** By alias, name, `source/name` or entry. */
  find(name: string): FoundSkill;
  /** AG-2. With `grants` also what they ask to have pre-approved. Refuses nothing: what has no digest is left as it is. */
  confirm(skills: readonly AgentSkill[], options: { readonly grants: boolean }): Promise<SkillChange>;
  /** Told before the agent's own tool writes there: whatever skill holds this real path is the session's from now on. */
  noteWritten(path: string): void;
  /** Told before a tool runs of which nobody knows what it writes: from now on no place vouches for bytes that are new. */
  noteActed(): void;
  /** The bytes as the set has them, not scanned: to look something up in. Throws `entry.unusable` when they are others by now. */
  read(skill: AgentSkill): Promise<Bundle>;
  /** For use. Throws `entry.unusable` also when it cannot be used, or a finding of the scanner blocks. */
  open(skill: AgentSkill): Promise<OpenedSkill>;
  /** Folders that were looked into, for the watcher. */
  readonly folders: readonly string[];
}

/**
 * The skills that a model is told of (AG-2): what nobody has confirmed is a person's to look at first. What the agent
 * wrote itself it may use, from the user role.
 */
export function visibleSkills({ skills }: SkillSet): readonly AgentSkill[] {
  return skills.filter(({ standing, unusable, byModel }) => standing !== "unconfirmed" && unusable === null && byModel);
}

/** The skills that wait for a person's word. What cannot be used has nothing to be confirmed. */
export function unconfirmedSkills({ skills }: SkillSet): readonly AgentSkill[] {
  return skills.filter(({ standing, unusable }) => standing === "unconfirmed" && unusable === null);
}
