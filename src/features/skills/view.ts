import type { App } from "../../app/app.ts";
import { renderBody } from "../../compose/render.ts";
import type { Digest } from "../../core/digest.ts";
import type { Finding, Level } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeName } from "../../core/text.ts";
import { type Entry, readProvenance } from "../../registry/entry.ts";
import type { Look, Registry } from "../../registry/registry.ts";
import { summarise } from "../../registry/revision.ts";
import type { Standing } from "../../registry/state.ts";
import { noCapabilities } from "../../scan/capabilities.ts";
import { isByOlder } from "../../scan/scanned-by.ts";
import type { Bundle } from "../../skill/bundle.ts";
import { parse } from "../../skill/skill.ts";
import type { EntryLine, ProvenanceView, Reasons, RevisionView } from "./schema.ts";
import type { Decision } from "../../registry/schema.ts";

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

/** RV-4, IN-8 */
export async function viewProvenance(app: App, { facts }: Look, entry: Entry): Promise<ProvenanceView> {
  const { path, commit, repositoryId } = entry;
  const source = facts.sources.get(entry.source);
  const revisions = await app.kept.read.revisionsOf(entry.id);
  return {
    kind: source?.kind ?? null,
    url: source?.url ?? null,
    path,
    commit,
    repositoryId,
    firstSeen: revisions.at(-1)?.seenAt ?? null,
    lastChanged: revisions[0]?.seenAt ?? null,
    links: await linksOf(app, entry),
  };
}

/** A folder of this machine has none: its bytes are what was read there. */
async function linksOf(
  { kept, review: { keys } }: App,
  { id, current, commit }: Entry,
): Promise<ProvenanceView["links"]> {
  if (commit === null) return [];
  const record = await kept.read.provenanceOf(id);
  const known = record === undefined ? undefined : readProvenance(keys, id, record);
  if (known?.digest !== current)
    return [{ what: "nothing is known of how these bytes came from their commit", proven: false }];
  const { tree, proof, ref } = known.provenance;
  const commitIs =
    proof.commit === "hashed" ? "the commit's own bytes have its id" : "the commit is the service's word alone";
  return [
    { what: `${proof.files} files hash to their ids in the tree ${tree.slice(0, 12)}`, proven: true },
    { what: `the trees lead up to the commit ${known.provenance.commit.slice(0, 12)}`, proven: true },
    { what: commitIs, proven: proof.commit === "hashed" },
    proof.reachable === null
      ? { what: "no branch or tag is known to lead to the commit", proven: false }
      : {
          what: `the commit can be reached from ${proof.reachable}${ref === null ? "" : `, pinned as ${ref}`}`,
          proven: true,
        },
  ];
}

/** Why each kind of finding matters, by its code (RV-6). */
export async function reasonsFor(findings: readonly Finding[]): Promise<Reasons> {
  const { whyOf } = await import("../../scan/rules.ts");
  const codes = [...new Set(findings.map(({ code }) => code))];
  return Object.fromEntries(
    codes.flatMap((code) => {
      const why = whyOf(code);
      return why === undefined ? [] : [[code, why]];
    }),
  );
}
