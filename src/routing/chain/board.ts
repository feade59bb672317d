import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import type { LexicalIndex } from "../index/lexical-index.ts";
import { alikeFrom } from "../index/likeness.ts";
import type { Evidence, Link } from "../link.ts";
import { byTrust, byTrustAlone, type Shelf, type ShelfEntry } from "../shelf.ts";

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

/** What is known of one entry so far: its strongest evidence, or the word of a judge. */
export interface Standing {
  readonly entry: ShelfEntry;
  readonly confidence: number;
  readonly link: string;
  readonly why: string;
  /** Its confidence is a share of one choice: it adds up with the others'. */
  readonly isShare: boolean;
  /** A judge saw it and did not name it. */
  readonly isAside: boolean;
  /** The word of a judge: no later finder changes it. */
  readonly isJudged: boolean;
}

/** Entries of the same or nearly the same text: one of them is chosen, or none. */
export interface Cluster {
  /** Who is chosen when the cluster is. */
  readonly speaker: Standing;
  /** Of its strongest member: what speaks for one text speaks for nearly the same text too. */
  readonly confidence: number;
  /** The speaker among them. */
  readonly members: readonly Standing[];
}

/** So many of the best are compared with each other, more than anybody is given; below, only identical bytes are one. */
const mostCompared = 20;

/** The clusters of what was found, the strongest first. The same for the same standings, in whatever order they come. */
function clustersOf(standings: Iterable<Standing>, index: LexicalIndex, margin: number): readonly Cluster[] {
  const groups: Standing[][] = [];
  const byDigest = new Map<Digest, Standing[]>();
  let compared = 0;
  for (const standing of [...standings].toSorted(byStrength)) {
    const { digest } = standing.entry;
    const group = byDigest.get(digest) ?? (compared++ < mostCompared ? findAlike(groups, standing, index) : undefined);
    if (group === undefined) groups.push(remember(byDigest, digest, [standing]));
    else remember(byDigest, digest, group).push(standing);
  }
  return groups.map((members) => clusterOf(members, margin));
}

/** What was put aside comes last; equals are ordered by trust, and only then so that the order is always the same. */
function byStrength(a: Standing, b: Standing): number {
  if (a.isAside !== b.isAside) return a.isAside ? 1 : -1;
  return b.confidence - a.confidence || byTrust(a.entry, b.entry);
}

function remember(byDigest: Map<Digest, Standing[]>, digest: Digest, group: Standing[]): Standing[] {
  byDigest.set(digest, group);
  return group;
}

/** Held against the strongest of each group, so that a row of small differences does not join what is far apart. */
function findAlike(groups: readonly Standing[][], standing: Standing, index: LexicalIndex): Standing[] | undefined {
  return groups.find(([first]) => {
    if (first === undefined || first.isAside !== standing.isAside) return false;
    return index.likeness(first.entry.digest, standing.entry.digest) >= alikeFrom;
  });
}

/**
 * T32: a copy that gathers a few more words than the original does not take its place. Among those that are too close
 * to call, the most trusted speaks.
 */
function clusterOf(members: readonly Standing[], margin: number): Cluster {
  const confidence = members[0]?.confidence ?? 0;
  const close = members.filter((member) => isClose(confidence, member.confidence, margin));
  const speaker = close.reduce((best, each) => (byTrustFirst(each, best) < 0 ? each : best));
  return { speaker, confidence, members };
}

function byTrustFirst(a: Standing, b: Standing): number {
  return byTrustAlone(a.entry, b.entry) || byStrength(a, b);
}

/** With less than this share of the stronger one's confidence, the weaker is not close to it, however small both are. */
const closeShare = 0.6;

/** Whether the weaker of two cannot be told from the stronger (RT-3). Equals never can, whatever the margin. */
export function isClose(stronger: number, weaker: number, margin: number): boolean {
  if (stronger === weaker) return true;
  return stronger - weaker < Math.max(margin, 0) - rounding && weaker >= stronger * closeShare;
}

/** Of sums and differences of decimal fractions: 0.9 - 0.8 is a little less than 0.1. */
const rounding = 1e-9;
