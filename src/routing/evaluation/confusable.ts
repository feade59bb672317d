import type { EntryId } from "../../core/ids.ts";
import type { Match, Routed } from "../routed.ts";
import type { ShelfEntry } from "../shelf.ts";
import type { MeasuredRouting } from "./golden.ts";
import { ratio } from "./statistics.ts";
import { type Explained, Rarity, saidBy, Vocabulary } from "./vocabulary.ts";

/** Two skills that routing takes for one another (RT-10). */
export interface ConfusablePair extends Explained {
  readonly skills: readonly [EntryId, EntryId];
  readonly likeness: Likeness;
  /** How often the description of one, or a sentence of it, leads to the other or is too close to call: 0 to 1. */
  readonly score: number;
  /** How many skills this is about: each of the two stands for all that have its very text. */
  readonly count: number;
  /** The first of those besides the two. */
  readonly others: readonly EntryId[];
  /** How much of the words of both descriptions is common to them, the rare ones weighing more: 0 to 1. */
  readonly overlap: number;
}

export interface ConfusableReport {
  readonly skills: number;
  /** How many pairs there are. Skills of the very same text are one pair, however many they are. */
  readonly total: number;
  readonly counts: Readonly<Record<Likeness, number>>;
  /** The worst of each kind: copies of one skill must not hide what a better description would mend. */
  readonly pairs: readonly ConfusablePair[];
}

export interface ConfusableOptions {
  /** At most so many pairs of each kind. */
  readonly most?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Asks the router with each description what it would choose. Nothing is compared with everything: who is confused
 * with whom shows in the answers.
 */
export async function findConfusable(
  routing: MeasuredRouting,
  { most = 50, onProgress }: ConfusableOptions = {},
): Promise<ConfusableReport> {
  const groups = new Groups(routing.entries.values());
  const [tally, rarity] = [new PairTally((id) => groups.firstOf(id)), new Rarity()];
  const skills = routing.entries.size;
  let done = 0;
  for (const [own, ...same] of groups.all) {
    rarity.add(`${saidBy(own)} ${routing.bodyOf(own.id).slice(0, longestQuery)}`);
    for (const other of same.slice(0, 1)) tally.markAlike(own.id, other.id, "identical");
    for (const query of queriesOf(own, skills)) tally.add(own.id, await routing.route(query, mostLooked));
    onProgress?.((done += 1 + same.length), skills);
  }
  const vocabulary = new Vocabulary(routing, rarity);
  const pairs = worstFirst(tally.pairs().flatMap((pair) => judged(pair, vocabulary)));
  const byKind = order.map((likeness) => pairs.filter((pair) => pair.likeness === likeness));
  const listed = byKind.flatMap((each) => each.slice(0, most));
  const [identical = 0, near = 0, similar = 0] = byKind.map(({ length }) => length);
  return {
    skills,
    total: pairs.length,
    counts: { identical, "near-identical": near, similar },
    pairs: listed.map((pair) => Object.assign(vocabulary.explain(pair.skills), pair, groups.behind(pair.skills))),
  };
}

type Group = [ShelfEntry, ...ShelfEntry[]];

const mostOthers = 10;

/** Skills that have the same bytes, as one: the first of them is asked for, and stands for the others. */
class Groups {
  readonly #byDigest = new Map<string, Group>();
  readonly #byId = new Map<EntryId, Group>();

  constructor(entries: Iterable<ShelfEntry>) {
    for (const entry of entries) {
      const group = this.#byDigest.get(entry.digest);
      if (group === undefined) this.#byDigest.set(entry.digest, [entry]);
      else group.push(entry);
    }
    for (const group of this.all) for (const { id } of group) this.#byId.set(id, group);
  }

  get all(): Iterable<Group> {
    return this.#byDigest.values();
  }

  firstOf(id: EntryId): EntryId {
    return this.#byId.get(id)?.[0].id ?? id;
  }

  /** All that two of them stand for. */
  behind(skills: Pair["skills"]): Pick<ConfusablePair, "count" | "others"> {
    const ids = [...new Set(skills.map((id) => this.#byId.get(id) ?? []))].flatMap((group) =>
      group.map(({ id }) => id),
    );
    return { count: ids.length, others: ids.filter((id) => !skills.includes(id)).slice(0, mostOthers) };
  }
}

/** Above so many skills each is asked with once, by the beginning of its description: more would take minutes. */
const mostForSentences = 1000;
const beginning = 400;
const mostSentences = 5;
const longestQuery = 2000;
const shortestSentence = 20;

function queriesOf({ description }: ShelfEntry, skills: number): readonly string[] {
  if (skills > mostForSentences) return [description.slice(0, beginning)];
  const whole = description.slice(0, longestQuery);
  const sentences = whole
    .split(/[.!?;。！？；\n]/)
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= shortestSentence)
    .slice(0, mostSentences);
  return [...new Set([whole, ...sentences])];
}

interface JudgedPair extends Pair {
  readonly overlap: number;
}

/** From so many common words on, two descriptions say the same even where the router keeps them apart by their bodies. */
const muchInCommon = 0.4;

function judged(pair: Pair, vocabulary: Vocabulary): JudgedPair[] {
  const overlap = vocabulary.overlapOf(pair.skills);
  const isPair = pair.likeness !== "similar" || pair.score > 0 || overlap >= muchInCommon;
  return isPair ? [{ ...pair, overlap }] : [];
}

const order: readonly Likeness[] = ["identical", "near-identical", "similar"];

/** Those that are the same first, then what is mixed up most. */
function worstFirst(pairs: readonly JudgedPair[]): readonly JudgedPair[] {
  const badness = ({ score, overlap }: JudgedPair) => Math.max(score, overlap);
  return pairs.toSorted(
    (a, b) =>
      order.indexOf(a.likeness) - order.indexOf(b.likeness) || badness(b) - badness(a) || compare(a.skills, b.skills),
  );
}

function compare([a, x]: Pair["skills"], [b, y]: Pair["skills"]): number {
  if (a !== b) return a < b ? -1 : 1;
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

/** How alike two skills are: the same bytes, nearly the same text, or only descriptions that call for the same requests. */
type Likeness = "identical" | "near-identical" | "similar";

/** So many matches are looked at for each query. */
const mostLooked = 10;

/** Two skills that came near one another. */
export interface Pair {
  readonly skills: readonly [EntryId, EntryId];
  likeness: Likeness;
  /** The share of the queries of both that led to the other. */
  score: number;
}

/** So many beside the own one are worth a look at the words. */
const nearby = 3;

/** Which queries led to whom. */
class PairTally {
  readonly #pairs = new Map<string, Pair & { lost: number }>();
  /** How many queries each was asked with. */
  readonly #asked = new Map<EntryId, number>();
  readonly #firstOf: (id: EntryId) => EntryId;

  /** `firstOf`: the one that stands for all that have the text of a skill. */
  constructor(firstOf: (id: EntryId) => EntryId) {
    this.#firstOf = firstOf;
  }

  markAlike(a: EntryId, b: EntryId, likeness: Likeness): void {
    this.#pair(a, b).likeness = likeness;
  }

  /** What one query of a skill led to. */
  add(own: EntryId, { trace }: Routed): void {
    this.#asked.set(own, (this.#asked.get(own) ?? 0) + 1);
    const ranked = trace.ranked.slice(0, mostLooked);
    const mine = ranked.find((match) => this.#textsOf(match).has(own));
    if (mine !== undefined) this.#markNear(own, this.#textsOf(mine));
    const reach = mine === undefined ? 0 : mine.confidence - trace.thresholds.margin;
    for (const [at, match] of ranked.filter((each) => each !== mine).entries()) {
      const isLost = match.confidence > reach;
      if (isLost || at < nearby) this.#pair(own, this.#firstOf(match.entry)).lost += isLost ? 1 : 0;
    }
  }

  #textsOf({ entry, alike }: Match): ReadonlySet<EntryId> {
    return new Set([entry, ...alike].map((id) => this.#firstOf(id)));
  }

  /** Of many that are alike each is held against the first: every one against every other would be their square. */
  #markNear(own: EntryId, all: ReadonlySet<EntryId>): void {
    const first = [...all].reduce((least, id) => (id < least ? id : least), own);
    for (const other of all)
      if (other !== own && (own === first || other === first)) this.markAlike(own, other, "near-identical");
  }

  pairs(): readonly Pair[] {
    return [...this.#pairs.values()].map(({ skills, likeness, lost }) => {
      const [a, b] = skills.map((id) => this.#asked.get(id) ?? 0);
      return { skills, likeness, score: ratio(lost / Math.max(1, (a ?? 0) + (b ?? 0))) };
    });
  }

  #pair(a: EntryId, b: EntryId): Pair & { lost: number } {
    const skills: readonly [EntryId, EntryId] = a < b ? [a, b] : [b, a];
    const key = JSON.stringify(skills);
    const pair = this.#pairs.get(key) ?? { skills, likeness: "similar" as const, score: 0, lost: 0 };
    this.#pairs.set(key, pair);
    return pair;
  }
}
