import type { Digest } from "../../core/digest.ts";
import { whole } from "./best.ts";
import { compareDocuments, countAlive, digestOf, findTerm, occurrences, type Part } from "./part.ts";
import { gainsOf, rarity, type Statistics, statisticsOf } from "./statistics.ts";
import { stopWords, type Word } from "./words.ts";

/** A document of an index: its part, and its number there. */
export interface Place {
  /** Which of the parts. */
  readonly at: number;
  readonly part: Part;
  readonly document: number;
}

interface Located {
  readonly places: readonly number[];
  readonly documents: number;
  /** How often documents that have it have it, on average. */
  readonly repeated: number;
}

/** Stands for a word that tells nothing where the rarity of a term is asked for. */
export const tellsNothing = -1;

/** What all searches in an index share: its documents numbered through, and what is known of all of them. */
export class Library {
  readonly parts: readonly Part[];
  readonly statistics: Statistics;
  /** Documents of all parts, those that are gone included. */
  readonly rows: number;
  private readonly digests: Digest[] = [];
  private readonly bases: readonly number[];
  private readonly gains: readonly Float32Array[];
  private readonly rarities: readonly Float64Array[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.statistics = statisticsOf(parts);
    let rows = 0;
    this.bases = parts.map(({ documents }) => (rows += documents) - documents);
    this.rows = rows;
    this.gains = parts.map((part) => gainsOf(part, whole, this.statistics));
    this.rarities = parts.map(raritiesOf);
  }

  baseOf(at: number): number {
    return this.bases[at] ?? 0;
  }

  gainsOf(at: number): Float32Array {
    return this.gains[at] ?? new Float32Array();
  }

  placeOf(row: number): Place {
    const at = this.bases.findLastIndex((base) => base <= row);
    const part = this.parts[at];
    if (part === undefined) throw new RangeError("no such document");
    return { at, part, document: row - this.baseOf(at) };
  }

  /** Written out once: where few documents are allowed, nearly all are asked about in every search. */
  digestOf(row: number): Digest {
    const known = this.digests[row];
    if (known !== undefined) return known;
    const { part, document } = this.placeOf(row);
    return (this.digests[row] = digestOf(part, document));
  }

  /** By their digests, whichever parts they are in. */
  compare(one: number, other: number): number {
    const [first, second] = [this.placeOf(one), this.placeOf(other)];
    return compareDocuments(first.part, first.document, second.part, second.document);
  }

  rarityOf(documents: number): number {
    return rarity(this.statistics.documents, documents);
  }

  locate({ low, high }: Pick<Word, "low" | "high">): Located {
    const places = this.parts.map((part) => findTerm(part, low, high));
    let documents = 0;
    let times = 0;
    for (const [at, place] of places.entries()) {
      const part = this.parts[at];
      if (place === -1 || part === undefined) continue;
      documents += countAlive(part, place);
      times += occurrences(part, place);
    }
    return { places, documents, repeated: documents === 0 ? 0 : times / documents };
  }

  /** What is known of the rarities of the terms of a part; zero is not yet known. */
  raritiesOf(at: number): Float64Array {
    return this.rarities[at] ?? new Float64Array();
  }

  /** The rarity of a term of a part, or that it tells nothing. Looked up once: most are asked for again and again. */
  rarityAt(at: number, term: number): number {
    const known = this.rarities[at]?.[term] ?? 0;
    if (known !== 0) return known;
    const terms = this.parts[at]?.segment.terms;
    const { documents } = this.locate({ low: terms?.[2 * term] ?? 0, high: terms?.[2 * term + 1] ?? 0 });
    const found = this.rarityOf(documents);
    const ofPart = this.rarities[at];
    if (ofPart !== undefined) ofPart[term] = found;
    return found;
  }
}

/** Zero is not yet known. */
function raritiesOf(part: Part): Float64Array {
  const rarities = new Float64Array(part.segment.terms.length / 2);
  for (const { low, high } of stopWords().values()) {
    const term = findTerm(part, low, high);
    if (term !== -1) rarities[term] = tellsNothing;
  }
  return rarities;
}
