import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { entryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";
import type { Comparison, GitHub } from "../../sources/github/github.ts";
import type { KnownSkill, Provenance } from "../../sources/reading.ts";
import type { ObjectId } from "../../sources/ref.ts";
import { fullName, type Repository } from "../../sources/repository.ts";
import { sourceFinding } from "../../sources/source-faults.ts";
import type { Ledger } from "../ledger/ledger.ts";

interface About {
  readonly sets: HostSets;
  readonly ledger: Ledger;
  readonly source: string;
  /** What is here, by path. */
  readonly known: ReadonlyMap<string, KnownSkill>;
}

/** So many approved commits are compared with one new commit of a repository. */
const mostCompared = 32;

/**
 * T14: whether what was approved is replaced by something older. Asks how the new commit stands to the one of the latest
 * approval, once for each pair of commits, while the skill is read: what cannot be judged is not taken in.
 */
export class RollbackJudge {
  readonly #about: About;
  readonly #standings = new Map<string, Comparison | undefined>();
  readonly #compared = new Map<string, number>();
  readonly #rewritten = new Map<string, Finding>();

  constructor(about: About) {
    this.#about = about;
  }

  /** About the sync as a whole. */
  get general(): readonly Finding[] {
    return [...this.#rewritten.values()];
  }

  async judge(github: GitHub, path: string, provenance: Provenance): Promise<readonly Finding[]> {
    const pair = pairOf(this.#about, path, provenance);
    if (pair === undefined) return [];
    const key = `${fullName(pair.repository)} ${pair.approved} ${pair.now}`;
    if (!this.#standings.has(key)) {
      if (!this.#mayCompare(pair)) return [uncompared(pair)];
      this.#standings.set(key, await standingOf(github, pair));
    }
    const standing = this.#standings.get(key);
    if (standing === "behind") return [rollback(pair)];
    if (standing !== "ahead" && standing !== "identical") this.#rewritten.set(key, rewritten(pair));
    return [];
  }

  /** Whoever rolls back more gains nothing by it. */
  #mayCompare({ repository, now }: Pair): boolean {
    const key = `${fullName(repository)} ${now}`;
    const count = (this.#compared.get(key) ?? 0) + 1;
    this.#compared.set(key, count);
    return count <= mostCompared;
  }
}

/** The commit at which a skill was approved, and the one it comes from now. */
interface Pair {
  readonly path: string;
  readonly repository: Repository;
  readonly approved: ObjectId;
  readonly now: ObjectId;
}

function pairOf(about: About, path: string, provenance: Provenance): Pair | undefined {
  const { sets } = about;
  const approved = approvedCommit(about, path, provenance.repositoryId);
  const repository = repositoryOf(provenance, sets);
  if (approved === null || approved === provenance.commit || repository === undefined) return undefined;
  return { path, repository, approved, now: provenance.commit };
}

/** The latest commit of this repository that has what was approved last: these bytes may have come a while before. */
function approvedCommit({ ledger, source, known }: About, path: string, repositoryId: number): ObjectId | null {
  const approval = ledger.decisions.get(entryId({ source, path }))?.findLast(({ word }) => word === "approve");
  if (approval?.repositoryId !== repositoryId) return null;
  const here = known.get(path);
  const isHere = here?.digest === approval.digest && here.provenance?.repositoryId === repositoryId;
  return isHere ? (here.provenance?.commit ?? approval.commit) : approval.commit;
}

function repositoryOf({ hosts, repository }: Provenance, sets: HostSets): Repository | undefined {
  const set = sets.find(({ name }) => name === hosts);
  const [owner = "", name = ""] = repository.split("/");
  return set && { hosts: set, owner, name };
}

/** Undefined: a commit is not there any more, or they have nothing in common. */
async function standingOf(github: GitHub, { repository, approved, now }: Pair): Promise<Comparison | undefined> {
  try {
    return await github.compare(repository, approved, now);
  } catch (error) {
    if (error instanceof AppError && error.code === "source.missing") return undefined;
    throw error;
  }
}

function rollback({ path, approved, now }: Pair): Finding {
  const message = `it goes back from ${approved.slice(0, 12)}, where it was approved, to the older ${now.slice(0, 12)}`;
  return sourceFinding("pin.rollback", message, safeLine(path));
}

function uncompared({ path, approved, now }: Pair): Finding {
  const message = `${now.slice(0, 12)} may be older than ${approved.slice(0, 12)}, where it was approved: more than ${mostCompared} commits would have to be compared`;
  return sourceFinding("pin.rollback", message, safeLine(path));
}

function rewritten({ repository, approved, now }: Pair): Finding {
  const message = `${now.slice(0, 12)} does not follow from ${approved.slice(0, 12)}, where skills of it were approved: its history was rewritten, or could not be compared`;
  return sourceFinding("pin.rewritten", message, safeLine(fullName(repository)));
}

const judged: ReadonlySet<string> = new Set(["pin.moved", "pin.rollback"]);

/**
 * What is said of the commit an entry's bytes come from. That a commit cannot be reached is found out at every sync;
 * what was said when these bytes came stays with them until others come.
 */
export function pinFindings(
  seen: readonly Finding[],
  isChanged: boolean,
  before: readonly Finding[],
): readonly Finding[] {
  const unreachable = seen.filter(({ code }) => code === "pin.unreachable");
  return [...unreachable, ...(isChanged ? seen : before).filter(({ code }) => judged.has(code))];
}

export function withoutPinFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ code }) => !judged.has(code) && code !== "pin.unreachable");
}
