import { sha256 } from "../core/digest.ts";
import type { GitHub } from "./github/github.ts";
import type { Pin, UnchangedPin } from "./github/pin.ts";
import { parseChildren } from "./marketplace/children.ts";
import type { RemoteReading } from "./read-skills.ts";
import type { KnownSkill, Provenance, ReadingEnd, SeenSkill } from "./reading.ts";
import { type ObjectId, renderRef } from "./ref.ts";
import type { ChildState, Source } from "./schema.ts";

/**
 * A commit that was read to its end, under which settings, and to how many skills: with other settings there may be more
 * or less to read in it, and with fewer entries one was taken out by hand.
 */
function completeAt({ skip }: RemoteReading, source: Source, commit: ObjectId, skills: number): string {
  const { kind, url, hosts, ref, include, expectedFingerprint } = source;
  const settings = JSON.stringify([kind, url, hosts, ref, include, expectedFingerprint, skip]);
  return `${commit} ${sha256(Buffer.from(settings))} ${skills}`;
}

/**
 * Another commit that the same tag was at when something of it was read (T11); null: it is where it always was. The one
 * that was last read to its end counts also for what comes of a later one in parts. Where none ever was, skills say it.
 */
export function movedFrom(
  known: Iterable<KnownSkill>,
  before: { readonly pin: ObjectId | null; readonly settled: ObjectId | null },
  now: Pin,
): ObjectId | null {
  const ref = renderRef(now.ref);
  const isOfIt = (from: Provenance | null) => from?.ref === ref && from.repositoryId === now.facts.id;
  const read = [...known].flatMap(({ provenance }) => (isOfIt(provenance) ? (provenance?.commit ?? []) : []));
  const others = [before.pin, before.settled, ...(before.settled === null ? read : [])];
  return others.find((commit) => commit !== null && commit !== now.commit.id) ?? null;
}

/** Where a source stood, and where it was last read to its end. */
export function stoodAt({ pin, remote }: Source) {
  return { pin, settled: remote?.complete?.slice(0, 40) ?? null };
}

/**
 * What is known of the repository. The tags of earlier answers only where all of that commit is here: "unchanged" is
 * of no use to whoever has yet to read it.
 */
export function knownPin(reading: RemoteReading, source: Source) {
  const { pin, repositoryId, ownerId, remote } = source;
  const isComplete =
    pin !== null && !reading.isRepair && remote?.complete === completeAt(reading, source, pin, reading.known.size);
  return {
    repositoryId,
    ownerId,
    defaultBranch: remote?.defaultBranch ?? null,
    etags: isComplete && remote !== null ? remote.etags : { repository: null, commit: null },
    commit: isComplete ? pin : null,
  };
}

/** Where a source stands after it was read. What was not read to its end leaves what was known of an earlier commit. */
export function remoteEnd(
  reading: RemoteReading,
  source: Source,
  { facts, ref, commit, etags }: Pin,
  read: {
    readonly reachable: string | null;
    readonly isComplete: boolean;
    readonly skills: number;
    readonly unread: readonly string[];
    readonly children: readonly ChildState[] | null;
  },
): NonNullable<ReadingEnd["remote"]> {
  const isSettled = read.isComplete && read.reachable !== null;
  const before = source.remote?.complete ?? null;
  return {
    pin: commit.id,
    repositoryId: facts.id,
    ownerId: facts.ownerId,
    state: {
      defaultBranch: facts.defaultBranch,
      ref: renderRef(ref),
      etags,
      complete: isSettled ? completeAt(reading, source, commit.id, read.skills) : before,
      unread: read.unread,
      proof: { commit: commit.proof, reachable: read.reachable },
    },
    children: read.children,
  };
}

/**
 * A source whose pin is the known one: everything that is here, as it is, and what is there and can never be here, which
 * was said and is said again.
 */
export function* unchangedReading(
  { known }: RemoteReading,
  { pin, repositoryId, ownerId, remote, cursor, kind }: Source,
  { unchanged: { facts, etags } }: UnchangedPin,
  { spent }: GitHub,
): Generator<SeenSkill, ReadingEnd> {
  for (const [path, { provenance }] of known) yield { path, bundle: null, provenance, pin: [] };
  for (const path of remote?.unread ?? [])
    if (!known.has(path)) yield { path, bundle: null, provenance: null, pin: [] };
  const isKnown = pin !== null && repositoryId !== null && ownerId !== null && remote !== null;
  const state = remote && { ...remote, etags, defaultBranch: facts.defaultBranch };
  const children = kind === "marketplace" ? parseChildren(cursor) : null;
  return {
    unvisited: [],
    findings: [],
    files: 0,
    bytes: spent.bytes,
    requests: spent.requests,
    limitedUntil: null,
    remote: isKnown && state !== null ? { pin, repositoryId, ownerId, state, children } : null,
  };
}
