import type { Digest } from "../base/digest.ts";
import type { Finding, Level } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";
import { safeName } from "../base/text.ts";
import type { Bundle } from "../ingest/skill/bundle.ts";
import { parse } from "../ingest/skill/skill.ts";
import type { Trust } from "../ingest/source/trust.ts";
import type { Decision } from "../registry/decision.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look, Registry } from "../registry/registry.ts";
import { type RevisionFile, type Summary, summarise } from "../registry/revision.ts";
import type { Standing, State } from "../registry/state.ts";
import { noCapabilities } from "../review/capabilities.ts";
import { isByOlder } from "../review/scan/scanned-by.ts";
import { type RenderedBody, renderBody } from "../use/compose/references.ts";

/** One entry as lists show it. */
export interface EntryLine {
  readonly entry: EntryId;
  readonly name: string;
  readonly state: State;
  readonly reason: string;
  /** What its source holds now, or held last. */
  readonly current: Digest;
  /** The approved revision that may be used; null: none. */
  readonly inUse: Digest | null;
  readonly source: string;
  /** Null when the source is not there any more. */
  readonly trust: Trust | null;
  /** How many findings of which level the revision has that this line is about. */
  readonly findings: Readonly<Partial<Record<Level, number>>>;
}

/** One revision as it is shown: its files are there only when every byte of it was verified just now. */
export interface RevisionView extends Summary {
  readonly digest: Digest;
  readonly files: readonly RevisionFile[];
  /** Bytes or rows that are not what they were when they came in. */
  readonly tampering: readonly Finding[];
  /** What a prompt shows otherwise than it is written; lines are of the body. Null when it cannot be read (CO-5). */
  readonly inPrompts: Omit<RenderedBody, "text"> | null;
}

/** RV-5: how many different people must approve what is current, and who has. */
export interface ApprovalsView {
  readonly needed: number;
  readonly by: readonly string[];
}

export function viewApprovals(registry: Registry, look: Look, entry: Entry): ApprovalsView {
  const { needed, words } = registry.approved(look, entry);
  return { needed, by: words.map(({ by }) => by) };
}

/** `digest`: the revision that the line is about. */
export function lineOf(look: Look, entry: Entry, digest: Digest): EntryLine {
  const { facts, snapshot } = look;
  const summary = facts.summaries.get(digest);
  const findings: Partial<Record<Level, number>> = {};
  for (const { level } of findingsIn(look, entry, digest)) findings[level] = (findings[level] ?? 0) + 1;
  return {
    entry: entry.id,
    name: safeName(summary?.name ?? entry.path),
    ...standingIn(look, entry.id),
    current: entry.current,
    source: entry.source,
    trust: snapshot.usable.get(entry.id)?.trust ?? facts.sources.get(entry.source)?.trust ?? null,
    findings,
  };
}

/** What is known of a revision of this entry: of its bytes, and of the current one also how it was loaded. */
export function findingsIn({ facts }: Look, { id, current }: Entry, digest: Digest): readonly Finding[] {
  const ofBytes = facts.summaries.get(digest)?.findings ?? [];
  const loading = digest === current ? (facts.loading.get(id) ?? []) : [];
  return [...loading, ...ofBytes];
}

/** The revision in use; without one, the current one. */
export function shownRevision(look: Look, { id, current }: Entry): Digest {
  return standingIn(look, id).inUse ?? current;
}

export function standingIn({ snapshot }: Look, entry: EntryId): Standing {
  return snapshot.standings.get(entry) ?? { state: "orphaned", inUse: null, reason: "it is not in the registry" };
}

/** What an entry is called now, whether it may be used or not; its id when the registry has it no more. */
export function nameIn({ facts, snapshot }: Look, id: EntryId): string {
  const current = facts.entries.get(id)?.current ?? "";
  return snapshot.usable.get(id)?.name ?? facts.summaries.get(current)?.name ?? id;
}

export function decisionsIn({ facts }: Look, entry: EntryId): readonly Decision[] {
  return facts.ledger.decisions.get(entry) ?? [];
}

/** Reads every byte of a revision and hashes it again. */
export async function viewRevision(
  registry: Registry,
  look: Look,
  entry: Entry,
  digest: Digest,
): Promise<RevisionView> {
  const { bundle, findings: faults } = await registry.open(digest);
  const known = look.facts.summaries.get(digest);
  // What an older scanner saw is not what is put before a person.
  const summary =
    known !== undefined && !isByOlder(known.scanner) ? known : ((bundle && (await summarise(bundle))) ?? known);
  const loading = digest === entry.current ? (look.facts.loading.get(entry.id) ?? []) : [];
  const files = bundle?.files.map(({ path, digest: hash, bytes }) => ({ path, digest: hash, size: bytes.length }));
  return {
    digest,
    name: safeName(summary?.name ?? ""),
    description: summary?.description ?? "",
    kind: summary?.kind ?? null,
    loadable: summary?.loadable ?? false,
    strict: summary?.strict ?? false,
    support: summary?.support ?? null,
    grants: summary?.grants ?? [],
    capabilities: summary?.capabilities ?? noCapabilities,
    scanner: summary?.scanner ?? "",
    files: files ?? [],
    findings: [...loading, ...(summary?.findings ?? [])],
    tampering: faults,
    inPrompts: bundle === undefined ? null : renderedIn(bundle),
  };
}

function renderedIn(bundle: Bundle): RevisionView["inPrompts"] {
  const { skill } = parse(bundle, "ingest");
  if (skill === undefined) return null;
  const paths = new Set(bundle.files.map(({ path }) => path));
  const { replaced, defused } = renderBody({ body: skill.body, paths }, false);
  return { replaced, defused };
}
