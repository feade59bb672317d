import { AppError } from "../core/error.ts";
import { blocks, type Finding } from "../core/finding.ts";
import { safeLine, safeName } from "../core/text.ts";
import type { FileToPlace } from "../core/world.ts";
import { boundedCapabilities, type Capabilities } from "../scan/capabilities.ts";
import { type Bundle, skillFile } from "../skill/bundle.ts";
import { isRefused } from "../skill/faults.ts";
import { parse, type Skill } from "../skill/skill.ts";
import type { ProvenTree } from "../sources/git/git.ts";
import { fetchSkills, type OnFile } from "../sources/github/fetch-skills.ts";
import type { GitHub } from "../sources/github/github.ts";
import { walkDepth } from "../sources/read-repo.ts";
import type { PinnedTree } from "../sources/read-skills.ts";
import { renderRef } from "../sources/ref.ts";
import { fullName } from "../sources/repository.ts";
import { findTreeSkills, type TreeSkill } from "../sources/tree-skills.ts";
import { folderOf } from "./locked-repository.ts";
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
  const { scanBundle } = await import("../scan/scan.ts");
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

/** A person reads no more than this. */
const mostListed = 20;

/**
 * AG-11: the one skill that a path means: the one that lies there, or the only one below. Which of several is meant is
 * never guessed.
 */
export function chooseSkill(at: PinnedTree, typed: string): TreeSkill {
  const path = folderMeant(at, typed);
  const here = skillAt(at.tree, path);
  if (here !== undefined) return here;
  const { skills, unvisited } = findTreeSkills(at.tree, { roots: [path], skip: [], depth: walkDepth });
  const [only, ...others] = skills;
  if (others.length > 0) throw several(at, path, skills);
  if (only === undefined) throw none(at, path, unvisited);
  return skillAt(at.tree, only.path) ?? only;
}

/** The skill whose SKILL.md lies in this very folder, the same whichever way somebody came to it. */
export function skillAt(tree: ProvenTree, path: string): TreeSkill | undefined {
  // At the root of a repository it shares the place with others; elsewhere all that lies below is its own (SK-11).
  const depth = path === "" ? walkDepth : 0;
  const { skills, unvisited } = findTreeSkills(tree, { roots: [path], skip: [], depth });
  const found = skills.find((skill) => skill.path === path);
  if (found === undefined && unvisited.includes(path))
    throw new AppError("upstream.invalid", `not all of "${safeLine(path)}" could be listed; try again later`);
  return found;
}

/** A URL may name the SKILL.md itself. */
function folderMeant({ tree, repository }: PinnedTree, typed: string): string {
  const entry = typed === "" ? undefined : tree.entries.get(typed);
  if (entry === undefined || entry.mode === "040000") return typed;
  const [name, folder] = [typed.slice(typed.lastIndexOf("/") + 1), typed.slice(0, Math.max(0, typed.lastIndexOf("/")))];
  if (name === skillFile) return folder;
  throw new AppError(
    "usage.invalid",
    `${safeLine(typed)} in ${fullName(repository)} is a file; name the folder of a skill`,
  );
}

function several(at: PinnedTree, path: string, skills: readonly TreeSkill[]): AppError {
  const where = path === "" ? fullName(at.repository) : `${fullName(at.repository)}/${safeLine(path)}`;
  return new AppError(
    "usage.invalid",
    `${where} has ${skills.length} skills; add one by its path:\n${listed(at, skills)}`,
  );
}

function none(at: PinnedTree, path: string, unvisited: readonly string[]): AppError {
  const name = fullName(at.repository);
  const where = path === "" ? name : `${safeLine(path)} in ${name}`;
  const what = `there is no skill at ${where}: no folder with a file named exactly SKILL.md`;
  if (unvisited.length > 0)
    return new AppError("upstream.invalid", `${what} among what could be listed; try again later`);
  const elsewhere = path === "" ? [] : findTreeSkills(at.tree, { roots: [""], skip: [], depth: walkDepth }).skills;
  const hint = elsewhere.length === 0 ? "" : `\nThere ${elsewhere.length === 1 ? "is one" : "are some"} elsewhere:\n`;
  return new AppError("source.missing", what + hint + (elsewhere.length === 0 ? "" : listed(at, elsewhere)));
}

/** Each with the command that adds it, or by its path alone where a shell would read more into that than a word. */
function listed({ repository, ref }: PinnedTree, skills: readonly TreeSkill[]): string {
  const lines = skills.slice(0, mostListed).map(({ path }) => {
    const typed = `${fullName(repository)}${path === "" ? "" : `/${path}`}@${renderRef(ref)}`;
    return /^[\w@+./-]{1,240}$/.test(typed) ? `  skillward add ${typed}` : `  "${safeLine(path, 240)}"`;
  });
  const more = skills.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

/** A skill as it is shown to whoever decides on it, before a byte is written. */
export interface OfferedSkill {
  readonly folder: string;
  readonly source: string;
  readonly hosts: string;
  readonly path: string;
  readonly ref: string | null;
  readonly commit: string;
  readonly tree: string;
  readonly proof: LockedSkill["proof"];
  readonly digest: string;
  readonly name: string;
  readonly description: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly executable: boolean }[];
  readonly findings: readonly Finding[];
  /** What it can reach for, as the scanner sees it (RV-14). */
  readonly capabilities: Capabilities;
  /** Codes that stand in the way until they are accepted, and those that were. */
  readonly refused: readonly string[];
  readonly accepted: readonly string[];
}

export function offerOf(
  { folder, locked, bundle, skill, findings, capabilities }: Candidate,
  { refusing, accepted }: Judgement,
): OfferedSkill {
  const { source, hosts, path, ref, commit, tree, proof, digest } = locked;
  const executable = new Set(locked.executable);
  return {
    folder,
    source,
    hosts,
    path,
    ref,
    commit,
    tree,
    proof,
    digest,
    name: safeName(skill?.manifest.name ?? folder),
    description: skill?.manifest.description ?? null,
    allowedTools: skill?.manifest.allowedTools ?? null,
    files: bundle.files.map((file) => ({
      path: file.path,
      bytes: file.bytes.length,
      executable: executable.has(file.path),
    })),
    findings,
    capabilities,
    refused: [...new Set(refusing.map(({ code }) => code))],
    accepted,
  };
}
