import type { Finding } from "../../base/finding.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Skill } from "../../ingest/skill/skill.ts";
import type { ContractSource } from "../../use/scope/capability.ts";

/** A skill that may take part in a scope, wherever it comes from. */
export interface Candidate {
  readonly entry: EntryId;
  readonly source: string;
  readonly path: string;
  readonly name: string;
  /** What it is called in the registry: its name, or its path where others of its source have that name. */
  readonly alias: string;
  /** Null when it cannot be used; `why` says why. */
  readonly skill: Skill | null;
  readonly why: string | null;
  /** Only when the host opted in for this load (SC-10). */
  readonly contract: ContractSource | null;
  /** What is said of its scope and its contract. */
  readonly findings: readonly Finding[];
}

/** Candidates, and which of them a person means by a name. */
export interface Candidates {
  readonly all: readonly Candidate[];
  /** Throws `record.missing` or `usage.invalid` for a name that nobody, or more than one, has. */
  readonly named: (name: string) => Candidate;
  /** Of where they lie: what was not looked into. */
  readonly findings: readonly Finding[];
}

export interface CandidateOptions {
  /** What ids begin with, so that skills of several folders stay apart: `folder` without it. */
  readonly source?: string | undefined;
  /** Take contracts along, to be run in the sandbox. Never set by a bundle or a workspace (SC-10). */
  readonly allowContract?: boolean | undefined;
}

/** Of all that is said about a skill, what concerns its scope. An opted-in contract is not inert. */
export function isAboutScope(allowContract: boolean): (seen: Finding) => boolean {
  return ({ code }) =>
    code.startsWith("scope.") || code === "kind.carries" || (code === "contract.inert" && !allowContract);
}
