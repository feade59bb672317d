import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";
import { pinRepository } from "../github/pin.ts";
import { knownPin, movedFrom, remoteEnd, stoodAt, unchangedReading } from "../known-pin.ts";
import { provenFile, refOf, treeAt } from "../read-repo.ts";
import type { PinnedTree, RemoteReading, TimedGitHub } from "../read-skills.ts";
import type { OnProgress, ReadingEnd, SeenSkill } from "../reading.ts";
import { fullName, type Repository } from "../repository.ts";
import type { ChildState, Source } from "../schema.ts";
import { sourceFinding } from "../source-faults.ts";
import { Child, type ChildEnd } from "./child.ts";
import { childrenBefore, unknownChild } from "./children.ts";
import { marketplaceFile } from "./entries.ts";
import { readHere } from "./here.ts";
import { type MarketplaceIndex, mostIndexBytes, parseMarketplace, resolveIncluded } from "./marketplace.ts";
import { PluginSearches } from "./plugin.ts";
import { ChildReader } from "./read-child.ts";

/**
 * Reads a marketplace: its index at a pinned commit, then its plugins one by one (IN-14). One that fails does not stop
 * the others; a rate limit stops, and the next sync goes on from there.
 */
export async function* readMarketplace(
  reading: RemoteReading,
  source: Source,
  { repository, sets }: { readonly repository: Repository; readonly sets: HostSets },
  onProgress: OnProgress,
): AsyncGenerator<SeenSkill, ReadingEnd> {
  const timed = reading.open(reading.bounds.seconds);
  try {
    const pin =
      reading.asked?.pin ?? (await pinRepository(timed.github, repository, refOf(source), knownPin(reading, source)));
    if ("unchanged" in pin) return yield* unchangedReading(reading, source, pin, timed.github);
    const from = movedFrom(reading.known.values(), stoodAt(source), pin);
    const at = await treeAt(timed.github, repository, pin, from, null, reading.asked?.tree);
    const index = await readIndex(timed, at, sets);
    const paths = new Map<string, string>();
    const children = yield* once(paths, readChildren(reading, source, { at, timed, index }, onProgress));
    const { isSettled: isComplete, states } = children;
    const read = { reachable: at.reachable, isComplete, skills: paths.size, unread: [], children: states };
    return { ...children.end, remote: remoteEnd(reading, source, pin, read) };
  } finally {
    timed.close();
  }
}

/** Two plugins may have the same skill: it is one entry. What is another tree under its path goes on, and is said (IN-18). */
async function* once<End>(
  paths: Map<string, string>,
  seen: AsyncGenerator<SeenSkill, End>,
): AsyncGenerator<SeenSkill, End> {
  for (let step = await seen.next(); ; step = await seen.next()) {
    if (step.done === true) return step.value;
    const { path, provenance } = step.value;
    const tree = `${provenance?.repositoryId} ${provenance?.tree}`;
    if (paths.get(path) === tree) continue;
    if (!paths.has(path)) paths.set(path, tree);
    yield step.value;
  }
}

/** By commit and proven, as everything else (IN-7). */
async function readIndex({ github }: TimedGitHub, at: PinnedTree, sets: HostSets): Promise<MarketplaceIndex> {
  const name = safeLine(fullName(at.repository));
  const bytes = await provenFile(github, at, marketplaceFile, mostIndexBytes);
  if (bytes === null)
    throw new AppError(
      "source.missing",
      `${name} has no ${marketplaceFile} at ${at.commit.id.slice(0, 12)}; nothing was changed`,
    );
  const parsed = parseMarketplace(bytes, sets, at.repository);
  if ("index" in parsed) return parsed.index;
  const { message, at: place } = parsed.fault;
  throw new AppError(
    "upstream.invalid",
    `${marketplaceFile}:${place.line} of ${name} cannot be used: ${message}; nothing was changed`,
  );
}

interface Market {
  readonly at: PinnedTree;
  readonly timed: TimedGitHub;
  readonly index: MarketplaceIndex;
}

interface ChildrenEnd {
  readonly end: Omit<ReadingEnd, "remote">;
  readonly states: readonly ChildState[];
  /** Whether a next sync of the same index has nothing to ask. */
  readonly isSettled: boolean;
}

async function* readChildren(
  reading: RemoteReading,
  source: Source,
  market: Market,
  onProgress: OnProgress,
): AsyncGenerator<SeenSkill, ChildrenEnd> {
  const { at, timed, index } = market;
  const before = childrenBefore(source);
  const { included, findings: unknown } = resolveIncluded(source.include, index, (name) =>
    wasRead(before.byName.get(name)),
  );
  const children = index.plugins.map((plugin) => new Child(plugin, at.repository, before));
  const [here, elsewhere] = [children.filter(isHere), byRepository(children.filter((child) => !isHere(child)))];
  const searches = new PluginSearches(reading.skip);
  const reader = new ChildReader(reading, searches);
  const ends = new Map<Child, ChildEnd>();
  const { spent } = timed.github;
  const report = () => {
    const left = reader.spent.left ?? spent.left;
    const bytes = spent.bytes + reader.spent.bytes;
    onProgress({ done: ends.size, total: children.length, of: "plugins", bytes, left });
  };
  const picked = here.filter(({ plugin }) => included.has(plugin.name));
  for (const child of here) if (!included.has(child.plugin.name)) ends.set(child, child.listed(at.commit.id));
  const own = yield* readHere(reading, market, picked, searches, report);
  for (const [child, end] of own.ends) ends.set(child, end);
  reader.used.add(at.repository, own);
  for (const child of elsewhere) {
    report();
    await reading.beat();
    ends.set(child, yield* reader.read(child, included.has(child.plugin.name), report));
  }
  const all = children.flatMap((child) => ends.get(child) ?? []);
  const lost = lostChildren(index, source.include, before.byName);
  const limited =
    reader.stopped === undefined ? [] : [sourceFinding("source.limited", reader.stopped.message, marketplaceFile)];
  return {
    end: {
      // An entry that cannot be followed any more says nothing about what it stood for (IN-21).
      unvisited: [
        ...own.unvisited,
        // Many plugins may share one list.
        ...[...new Set(all.map(({ unvisited }) => unvisited))].flat(),
        ...lost.flatMap(({ where, skills }) => (where === null || skills === 0 ? [] : [where])),
      ],
      findings: [
        ...index.findings,
        ...unknown,
        ...index.refused.map(refusal),
        ...own.findings,
        ...all.flatMap(({ findings }) => findings),
        ...limited,
      ],
      files: own.files + reader.spent.files,
      bytes: spent.bytes + reader.spent.bytes + (reading.asked?.bytes ?? 0),
      requests: spent.requests + reader.spent.requests + (reading.asked?.requests ?? 0),
      limitedUntil: reader.stopped?.resetAt ?? null,
    },
    states: [...all.map(({ state }) => state), ...lost],
    isSettled: children.every((child) => isSettled(child, ends.get(child)?.state)),
  };
}

function isHere({ plugin }: Child): boolean {
  return plugin.place.kind === "here";
}

/**
 * In their order, those of one repository one after the other: then its tree is asked for once, and of two in one place
 * the first counts. Repositories that a limit kept from being read are the first: others may never be done (IN-14).
 */
function byRepository(children: readonly Child[]): readonly Child[] {
  const groups = new Map<string, Child[]>();
  for (const child of children) {
    const name = child.where.split("/", 2).join("/");
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [child]);
    else group.push(child);
  }
  const all = [...groups.values()];
  return [...all.filter(isWaiting), ...all.filter((group) => !isWaiting(group))].flat();
}

function isWaiting(group: readonly Child[]): boolean {
  return group.some(({ before }) => before.outcome === "unreached");
}

function wasRead(child: ChildState | undefined): boolean {
  return child !== undefined && child.skills > 0;
}

/** What follows a branch may have moved although the index has not: it is asked for every time. */
function isSettled(child: Child, state: ChildState | undefined): boolean {
  if (!isHere(child) && child.sha === null) return false;
  if (state?.outcome === "listed") return true;
  return state?.outcome === "read" && state.settled === state.commit;
}

const refusalCodes = ["marketplace.duplicate", "marketplace.unsupported", "host.refused"] as const;

function refusal({ name, code, reason, line }: MarketplaceIndex["refused"][number]): Finding {
  const known = refusalCodes.find((each) => each === code) ?? "marketplace.refused";
  return sourceFinding(known, `plugin "${safeLine(name)}": ${reason}`, marketplaceFile, line);
}

/**
 * Plugins whose entries cannot be followed. One that could be before is known by what it was, as long as it is so: its
 * skills are not gone, and its repository has to be the same one when it is back (IN-21, T12).
 */
function lostChildren(
  index: MarketplaceIndex,
  include: readonly string[] | null,
  before: ReadonlyMap<string, ChildState>,
): ChildState[] {
  const listed = new Set(index.plugins.map(({ name }) => name));
  const isPicked = (name: string) =>
    include === null ||
    include.some((picked) => picked === "*" || picked === name || index.renames.get(picked) === name);
  const refused = index.refused.map(({ name, reason }): ChildState => {
    const known = listed.has(name) || !isPicked(name) ? undefined : before.get(name);
    return { ...unknownChild, ...known, name, outcome: "refused", reason };
  });
  if (!index.refused.some(({ isNamed }) => !isNamed)) return refused;
  const names = new Set([...listed, ...refused.map(({ name }) => name)]);
  const missed = [...before.values()].filter(({ name, where }) => where !== null && !names.has(name) && isPicked(name));
  return [...refused, ...missed.map(unlisted)];
}

function unlisted(child: ChildState): ChildState {
  const reason = "it is not listed any more; an entry that has no name may be it";
  return { ...child, outcome: "unreached", reason };
}
