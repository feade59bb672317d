import type { EntryId } from "../../../base/ids.ts";
import { type Cluster, clustersOf, type Standing } from "./clusters.ts";
import type { Evidence, Link } from "../link.ts";
import type { Shelf } from "../shelf.ts";

/** What the links have said so far, merged. */
export class Board {
  readonly #shelf: Shelf;
  readonly #margin: number;
  readonly #standings = new Map<EntryId, Standing>();
  #clusters: readonly Cluster[] | undefined;

  constructor(shelf: Shelf, margin: number) {
    this.#shelf = shelf;
    this.#margin = margin;
  }

  /** All of them, the strongest first and what was put aside last. */
  get clusters(): readonly Cluster[] {
    return (this.#clusters ??= clustersOf(this.#standings.values(), this.#shelf.index, this.#margin));
  }

  /** Those that can still be chosen. */
  get open(): readonly Cluster[] {
    return this.clusters.filter(({ speaker }) => !speaker.isAside);
  }

  has(entry: EntryId): boolean {
    return this.#standings.has(entry);
  }

  /** The strongest evidence of an entry counts; of equals, the one that came first. */
  add(link: Link, evidence: readonly Evidence[]): void {
    for (const { entry: id, confidence, why } of evidence) {
      const entry = this.#shelf.entries.get(id);
      const known = this.#standings.get(id);
      if (entry === undefined || known?.isJudged === true || (known?.confidence ?? -1) >= confidence) continue;
      this.#put({
        entry,
        confidence,
        link: link.name,
        why,
        isShare: link.addsUp === true,
        isAside: false,
        isJudged: false,
      });
    }
  }

  /** A judge's word replaces all evidence for what it was shown, and what it does not name is put aside. */
  judge(link: Link, shown: readonly Cluster[], evidence: readonly Evidence[]): void {
    const words = new Map(evidence.map((each) => [each.entry, each]));
    for (const cluster of shown) {
      const word = words.get(cluster.speaker.entry.id);
      for (const member of cluster.members)
        this.#put(word === undefined ? putAside(member, link) : judged(member, cluster.speaker, link, word));
    }
  }

  #put(standing: Standing): void {
    this.#standings.set(standing.entry.id, standing);
    this.#clusters = undefined;
  }
}

function putAside(member: Standing, link: Link): Standing {
  return { ...member, link: link.name, why: `put aside by ${link.name}`, isAside: true, isJudged: true };
}

/** The speaker was shown for all of its cluster: the others keep their distance from it, and never come before it. */
function judged(member: Standing, speaker: Standing, link: Link, { confidence, why }: Evidence): Standing {
  if (member === speaker) return { ...member, confidence, link: link.name, why, isShare: false, isJudged: true };
  const share = speaker.confidence > 0 ? Math.min(1, member.confidence / speaker.confidence) : 1;
  return { ...member, confidence: confidence * share, isShare: false, isJudged: true };
}
