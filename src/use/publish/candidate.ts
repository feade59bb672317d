import { AppError } from "../../base/error.ts";
import { blocks, type Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { FileToPlace } from "../../base/world.ts";
import { fetchSkills, type OnFile } from "../../ingest/fetch/fetch-skills.ts";
import type { GitHub } from "../../ingest/fetch/github.ts";
import type { Bundle } from "../../ingest/skill/bundle.ts";
import { isRefused } from "../../ingest/skill/faults.ts";
import { parse, type Skill } from "../../ingest/skill/skill.ts";
import type { PinnedTree } from "../../ingest/source/read-skills.ts";
import { renderRef } from "../../ingest/source/ref.ts";
import { fullName } from "../../ingest/source/repository.ts";
import type { TreeSkill } from "../../ingest/source/tree-skills.ts";
import { boundedCapabilities, type Capabilities } from "../../review/capabilities.ts";
import { folderOf } from "./folder-name.ts";
import type { LockedSkill } from "./lock.ts";

/** A skill of one commit with its bytes, proven, and all there is to say about it. Nobody decided on it yet. */
export interface Candidate {
  readonly folder: string;
  readonly bundle: Bundle;
  /** Undefined when it cannot be loaded; the findings say why. */
  readonly skill: Skill | undefined;
  /** What the lock file would say of it. */
  readonly locked: LockedSkill;
  /** Of its commit, of reading it, of the scanner (RV-6). */
  readonly findings: readonly Finding[];
  readonly capabilities: Capabilities;
}

export async function fetchCandidate(
  github: GitHub,
  at: PinnedTree,
  skill: TreeSkill,
  onFile: OnFile,
): Promise<Candidate> {
  const place = { repository: at.repository, commit: at.commit.id, tree: at.tree };
  for await (const { bundle, executable } of fetchSkills(github, place, [skill], onFile))
    return candidateOf(at, skill, bundle, executable);
  throw new AppError("upstream.invalid", `nothing came of ${safeLine(skill.path)}`);
}

async function candidateOf(
  at: PinnedTree,
  { path, tree }: TreeSkill,
  fetched: Bundle,
  executable: readonly string[],
): Promise<Candidate> {
  const folder = folderOf(path, at.repository.name);
  const bundle = { ...fetched, folder };
  const parsed = parse(bundle, "ingest");
  if (bundle.digest === null) throw incomplete(folder, parsed.findings);
  const files = new Map(bundle.files.map((file) => [file.path, file.digest]));
  const locked: LockedSkill = {
    source: fullName(at.repository),
    hosts: at.repository.hosts.name,
    path,
    ref: at.ref.kind === "commit" ? null : renderRef(at.ref),
    commit: at.commit.id,
    repositoryId: at.facts.id,
    ownerId: at.facts.ownerId,
    tree,
    digest: bundle.digest,
    files,
    executable: executable.filter((each) => files.has(each)),
    accepted: [],
    proof: { commit: at.commit.proof, reachable: at.reachable },
  };
  const { scanBundle } = await import("../../review/scan/scan.ts");
  const { findings, capabilities } = scanBundle(bundle);
  const all = [...at.pin, ...parsed.findings, ...findings];
  return {
    folder,
    bundle,
    skill: parsed.skill,
    locked,
    findings: all,
    capabilities: boundedCapabilities(capabilities),
  };
}

/** A part of a skill would pass for the whole of it: nobody can accept that. */
function incomplete(folder: string, findings: readonly Finding[]): AppError {
  const why = findings.find(blocks);
  const said = why === undefined ? "it cannot be read as a whole" : `${why.code}: ${why.message}`;
  return new AppError("entry.unusable", `the skill ${safeLine(folder)} cannot be used: ${said}`);
}

export function filesOf({ bundle, locked }: Candidate): readonly FileToPlace[] {
  const executable = new Set(locked.executable);
  return bundle.files.map(({ path, bytes }) => ({ path, bytes, executable: executable.has(path) }));
}

export interface Judgement {
  /** What stands in the way until it is accepted by its code. */
  readonly refusing: readonly Finding[];
  /** Codes that were accepted and had something to lift. */
  readonly accepted: readonly string[];
}

/** High findings block, and so does what no registry would take in; a person can lift each by its name. */
export function judge(findings: readonly Finding[], accept: ReadonlySet<string>): Judgement {
  const standing = findings.filter((each) => blocks(each) || isRefused([each], "ingest"));
  const lifted = standing.filter(({ code }) => accept.has(code)).map(({ code }) => code);
  return { refusing: standing.filter(({ code }) => !accept.has(code)), accepted: [...new Set(lifted)].toSorted() };
}
