import { canonicalJson } from "../../core/canonical.ts";
import { type Digest, sha256 } from "../../core/digest.ts";
import { ofRootSkill } from "../../skill/load-bundle.ts";
import type { AgentSkill, RootSkill, SkillOrigin, Standing } from "./agent-skill.ts";

/** What a person says yes to: that a skill speaks, or also that it has what it asks for. */
type MarkKind = "skill" | "grants";

/** Exactly these bytes at exactly this place. Null for what has none of both. */
export function markOf(kind: MarkKind, { folder, digest }: Pick<RootSkill, "folder" | "digest">): Digest | null {
  return folder === null || digest === null ? null : sha256(Buffer.from(canonicalJson([kind, folder, digest])));
}

/** All that decides on the standing of skills at one moment. */
export interface TrustState {
  readonly marks: ReadonlySet<Digest>;
  /** Said in this session: also of what the session wrote. */
  readonly said: ReadonlySet<Digest>;
  readonly written: WrittenPaths;
  readonly trustAll: boolean;
  /** Whether a place vouches for these bytes: for all, until a tool ran that may have written anything. */
  readonly vouches: (skill: RootSkill) => boolean;
}

type Trusted = Pick<AgentSkill, "standing" | "trust" | "grants">;

const untrusted = { trust: "untrusted", grants: [] } as const;

/** AG-2: the standing of a skill, and what follows from it. */
export function trustOf(skill: RootSkill, origin: SkillOrigin, state: TrustState): Trusted {
  const standing = standingOf(skill, origin, state);
  if (standing !== "confirmed") return { standing, ...untrusted };
  if (origin !== "registry") {
    const mark = markOf("grants", skill);
    const isGranted = mark !== null && state.marks.has(mark);
    return { standing, trust: "first_party", grants: isGranted ? skill.asks : [] };
  }
  const { trust, grants } = skill.approved ?? untrusted;
  const approved = new Set<string>(grants);
  return { standing, trust, grants: skill.asks.filter((tool) => approved.has(tool)) };
}

function standingOf(skill: RootSkill, origin: SkillOrigin, state: TrustState): Standing {
  if (origin === "registry") return skill.approved === null ? "unconfirmed" : "confirmed";
  const mark = markOf("skill", skill);
  const bySession = mark !== null && state.said.has(mark) ? "confirmed" : "session";
  if (state.written.isIn(skill)) return bySession;
  if (origin === "user" || state.trustAll) return state.vouches(skill) ? "confirmed" : bySession;
  return mark !== null && state.marks.has(mark) ? "confirmed" : "unconfirmed";
}

/** The real paths that the agent's own tools wrote to, with every folder above them. */
export class WrittenPaths {
  readonly #paths = new Set<string>();

  add(path: string): void {
    for (let at = path; at !== "" && !this.#paths.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
      this.#paths.add(at);
  }

  isIn({ folder, path }: Pick<RootSkill, "folder" | "path">): boolean {
    if (folder === null) return false;
    if (path !== "") return this.#paths.has(folder);
    // At the root of a workspace lies more than the skill.
    return [...ofRootSkill].some((name) => this.#paths.has(`${folder}/${name}`));
  }
}
