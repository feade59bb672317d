import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Transport } from "../../core/transport.ts";
import type { Clock, Randomness, Timer } from "../../core/world.ts";
import type { HostSets } from "../../net/host-set.ts";
import { outOfTime } from "../../sources/bounds.ts";
import { createGitHub } from "../../sources/github/client.ts";
import type { TimedGitHub } from "../../sources/read-skills.ts";
import { fullName, type Repository } from "../../sources/repository.ts";
import type { Source } from "../../sources/schema.ts";
import { parseTyped } from "../../sources/typed.ts";
import type { Permit } from "../accounts/permit.ts";
import { type Belonging, decrypt, encrypt, type Keys } from "../keys.ts";
import { isIntactSource } from "../source-seal.ts";
import type { SecretRow, SyncReads, SyncWrites } from "./port.ts";

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

/**
 * Encrypts a token for one source (IN-6, T40) and gives the name under which it is kept: what the source, sealed anew,
 * has as its `tokenRef` from then on.
 */
export async function keepToken(
  port: Pick<SyncWrites, "putSecret">,
  keys: Keys,
  random: Randomness,
  source: Source,
  token: string,
): Promise<string> {
  if (source.hosts === null)
    throw new AppError("usage.invalid", `the source ${source.id} is on this machine: it takes no token`);
  demandToken(token);
  const name = nameOf(source.id);
  await port.putSecret(name, encrypt(keys, random, token, belongingOf(source)));
  return name;
}

/** What is no token is not repeated: it may be one with something behind it. */
export function demandToken(token: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(token)) return;
  throw new AppError(
    "usage.invalid",
    "a token has 1 to 255 printable ASCII characters and no spaces; look what was given",
  );
}

/**
 * The token of a source, for the way out alone: it is never shown, logged or kept. Null: it has none. Fails for a row
 * that nobody with the key file wrote, and for a token that was encrypted for another source, host set or repository.
 */
export async function openToken(
  port: Pick<SyncReads, "findSecret">,
  keys: Keys,
  source: Source,
): Promise<string | null> {
  if (source.tokenRef === null) return null;
  if (!isIntactSource(keys, source)) throw unusable(source.id, "its row was changed by hand");
  const secret = await port.findSecret(source.tokenRef);
  if (secret === undefined) throw unusable(source.id, "it is not kept any more");
  return decrypt(keys, secret, belongingOf(source));
}

function unusable(id: string, why: string): AppError {
  return new AppError("keys.unusable", `the token of source "${safeLine(id)}" cannot be used: ${why}; set it again`);
}

/** Nothing happens when there is none. */
export async function dropToken(port: Pick<SyncWrites, "deleteSecret">, { id }: Pick<Source, "id">): Promise<void> {
  await port.deleteSecret(nameOf(id));
}

const prefix = "source:";

function nameOf(id: string): string {
  return prefix + id;
}

/** T9: moved to another source, to another GitHub or to another repository, it does not open. */
function belongingOf({ id, hosts, url }: Source): Belonging {
  return ["sources", id, 1, `${hosts}/${url}`];
}

/** What going over all of them came to. */
interface TokensSeen {
  readonly count: number;
  readonly findings: readonly Finding[];
}

/** Every token with the newest secret of the key file (T40). What does not open for its source is left, and said. */
export function reencryptTokens(
  port: SyncWrites,
  keys: Keys,
  random: Randomness,
  _permit: Permit<"administer">,
): Promise<TokensSeen> {
  return overTokens(port, keys, async (source, token) => void (await keepToken(port, keys, random, source, token)));
}

/** T40: whether each opens for the source it was meant for. */
export function verifyTokens(port: SyncReads, keys: Keys): Promise<TokensSeen> {
  return overTokens(port, keys, async () => {});
}

async function overTokens(
  port: SyncReads,
  keys: Keys,
  act: (source: Source, token: string) => Promise<void>,
): Promise<TokensSeen> {
  const findings: Finding[] = [];
  let count = 0;
  for (const row of await port.listSecrets()) {
    try {
      const source = await ownerOf(port, row);
      const token = await openToken(port, keys, source);
      if (token !== null) await act(source, token);
      count++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      findings.push(foreignToken(row, error.message));
    }
  }
  return { count, findings };
}

async function ownerOf(port: SyncReads, { name }: SecretRow): Promise<Source> {
  const source = await port.findSource(name.slice(prefix.length));
  if (source !== undefined && source.tokenRef === name) return source;
  throw new AppError("keys.unusable", `the secret "${safeLine(name)}" is no source's token`);
}

function foreignToken({ name }: SecretRow, message: string): Finding {
  return { code: "token.tampered", level: "high", message, at: { file: `secrets/${safeLine(name)}`, line: 1 } };
}
