import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { Clock, Randomness, Timer } from "../../base/world.ts";
import type { Transport } from "../../base/transport.ts";
import { createGitHub } from "../../ingest/fetch/client.ts";
import { outOfTime } from "../../ingest/source/bounds.ts";
import type { TimedGitHub } from "../../ingest/source/read-skills.ts";
import { fullName, type Repository } from "../../ingest/source/repository.ts";
import type { Source } from "../../ingest/source/source.ts";
import { parseTyped } from "../../ingest/source/typed.ts";
import type { HostSets } from "../../net/host-set.ts";

/** How other machines are reached from here. */
export interface RemoteContext {
  /** The one way out under the policy `github` (invariant 4). */
  readonly transport: () => Promise<Transport>;
  readonly hostSets: HostSets;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
  /** Names of folders that are not searched for skills (IN-13). */
  readonly skip: readonly string[];
}

/** Which repository a source is. Its set of hosts must be one that the configuration names now. */
export function repositoryOf({ id, url, hosts }: Source, sets: HostSets): Repository {
  const set = sets.find(({ name }) => name === hosts);
  if (set === undefined)
    throw new AppError(
      "config.invalid",
      `the source ${id} is of the GitHub "${safeLine(hosts ?? "")}", which \`github\` in the configuration does not name any more; name it there again, or remove the source`,
    );
  const typed = parseTyped(url, [set]);
  if (typed.kind === "repository" && typed.repository.hosts === set) return typed.repository;
  throw new AppError("store.failed", `the address of the source ${id} cannot be read; remove it and add it again`);
}

export interface Token {
  readonly secret: string;
  /** Whose it is. */
  readonly repository: Repository;
  /** Whether repositories of the same owner may get it too (IN-6). */
  readonly forOwner: boolean;
}

/** GitHubs to be asked for a bounded time each, with a token for whom it is meant (IN-6, T9). */
export async function openRemote(
  { transport: open, clock, timer, random }: RemoteContext,
  token: Token | null,
  stop?: AbortSignal,
): Promise<(seconds: number) => TimedGitHub> {
  const transport = await open();
  return (seconds) => {
    const ending = new AbortController();
    const deadline = timer.every(seconds * 1000, () => ending.abort(outOfTime(seconds)));
    const shared = token && { secret: token.secret, isFor: (repository: Repository) => mayHave(token, repository) };
    const signal = stop === undefined ? ending.signal : AbortSignal.any([ending.signal, stop]);
    const github = createGitHub({ transport, clock, timer, random }, { token: shared, signal });
    return {
      github,
      get isOver() {
        return ending.signal.aborted;
      },
      close: () => deadline.stop(),
    };
  };
}

function mayHave({ repository: own, forOwner }: Token, { hosts, owner, name }: Repository): boolean {
  const isOwn = fullName({ hosts, owner, name }).toLowerCase() === fullName(own).toLowerCase();
  const isOfOwner = forOwner && owner.toLowerCase() === own.owner.toLowerCase();
  return hosts.name === own.hosts.name && (isOwn || isOfOwner);
}
