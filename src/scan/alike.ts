import { nfkc } from "../core/text.ts";
import { foldText } from "./fold/fold.ts";

/** Letters and pairs that are taken for one another when a name is read in passing. */
const taken: readonly (readonly [RegExp, string])[] = [
  [/[0]/g, "o"],
  [/[1i|]/g, "l"],
  [/[5]/g, "s"],
  [/rn/g, "m"],
  [/vv/g, "w"],
];

/** What is left of a name when it is read in passing: no case, no separators, no doubled letters. */
export function skeletonOf(name: string): string {
  const plain = nfkc(foldText(name))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  const seen = taken.reduce((text, [from, to]) => text.replace(from, to), plain);
  return seen.replace(/(.)\1+/gu, "$1");
}

/** So short, any two are close. */
const shortest = 5;

/** Whether two skeletons can be taken for one another (T32): the same, or one letter apart. */
export function areAlike(one: string, other: string): boolean {
  return one === other || (one.length >= shortest && other.length >= shortest && isOneEditApart(one, other));
}

function isOneEditApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const rest = short.length === long.length ? short.slice(at + 1) : short.slice(at);
  return long.slice(at + 1) === rest;
}

/** A skill by its name, as it is compared. */
export interface Named {
  readonly id: string;
  /** What its bytes are: equal ones are no other skill. */
  readonly bytes: string;
  /** Who published it: nobody passes for himself. */
  readonly publisher: string;
  readonly skeleton: string;
}

/** Of each so many are told. */
const mostTold = 6;

/**
 * For each that is wanted, others that it can be taken for. Names one letter apart are the same without one letter each,
 * so every name is looked up as it is and without each of its letters: the work grows with the names, not their pairs.
 */
export function findAlike(wanted: readonly Named[], all: readonly Named[]): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, Named[]>();
  for (const named of all) for (const form of formsOf(named.skeleton)) keepSome(forms, form, named);
  const alike = new Map<string, readonly string[]>();
  for (const { id, bytes, publisher, skeleton } of wanted) {
    const others = Array.from(formsOf(skeleton))
      .flatMap((form) => forms.get(form) ?? [])
      .filter((other) => publisher !== other.publisher && bytes !== other.bytes)
      .filter((other) => areAlike(skeleton, other.skeleton));
    const told = [...new Set(others.map((other) => other.id))].slice(0, mostTold);
    if (told.length > 0) alike.set(id, told);
  }
  return alike;
}

/** Of one form so many are kept, of one publisher fewer: whoever has many alike must not push out the others. */
const mostOfForm = 64;
const mostOfPublisher = 2;

function keepSome(forms: Map<string, Named[]>, form: string, named: Named): void {
  const kept = forms.get(form);
  if (kept === undefined) forms.set(form, [named]);
  else if (
    kept.length < mostOfForm &&
    kept.filter((each) => each.publisher === named.publisher).length < mostOfPublisher
  )
    kept.push(named);
}

function* formsOf(skeleton: string): Generator<string> {
  yield skeleton;
  if (skeleton.length < shortest) return;
  for (let at = 0; at < skeleton.length; at++) yield skeleton.slice(0, at) + skeleton.slice(at + 1);
}
