import type { SourceKind } from "../ingest/source/source.ts";
import type { Entry } from "../registry/entry.ts";
import { readProvenance } from "../registry/provenance.ts";
import type { Look } from "../registry/registry.ts";
import type { App } from "./app.ts";

/** Where a skill comes from, and which links of the way from there to its bytes were proven (RV-4, IN-8). */
export interface ProvenanceView {
  /** Null when the source is not there any more. */
  readonly kind: SourceKind | null;
  readonly url: string | null;
  readonly path: string;
  readonly commit: string | null;
  readonly repositoryId: number | null;
  /** When the entry first had its first and its latest revision. */
  readonly firstSeen: number | null;
  readonly lastChanged: number | null;
  /** The links, the nearest to the bytes first. */
  readonly links: readonly ProvenLink[];
}

interface ProvenLink {
  readonly what: string;
  readonly proven: boolean;
}

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
): Promise<readonly ProvenLink[]> {
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
