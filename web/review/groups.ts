import type { Queue, WaitingLine } from "#contract";

type Kind = "changed" | "half" | "blocked" | "same" | "new";

interface Group {
  readonly kind: Kind;
  readonly title: string;
  readonly items: readonly WaitingLine[];
}

/** In the order in which they are gone through: what is in use somewhere and has changed comes first. */
const titles: readonly (readonly [Kind, string])[] = [
  ["changed", "Changed since approval"],
  ["half", "One more approval needed"],
  ["blocked", "Blocked by a finding or a block"],
  ["same", "Approved before, and back"],
  ["new", "New"],
];

function kindOf({ state, change, approvals: { by, needed } }: WaitingLine): Kind {
  if (state === "blocked") return "blocked";
  return by.length > 0 && by.length < needed ? "half" : change;
}

export function groupsOf({ items }: Pick<Queue, "items">): readonly Group[] {
  const groups = titles.map(([kind, title]) => ({ kind, title, items: items.filter((item) => kindOf(item) === kind) }));
  return groups.filter((group) => group.items.length > 0);
}

/** What a word in bulk takes, when it is theirs who look: what waits for another person is not counted (RV-5). */
export function cleanIn({ items }: Pick<Queue, "items">): readonly WaitingLine[] {
  return items.filter(({ clean, refusal }) => clean && refusal === null);
}

export function inOrder(queue: Pick<Queue, "items">): readonly WaitingLine[] {
  return groupsOf(queue).flatMap(({ items }) => items);
}

/** The one beside an entry; of one that does not wait, the first. Undefined at either end. */
export function beside(queue: Pick<Queue, "items">, entry: string, by: 1 | -1): string | undefined {
  const order = inOrder(queue).map((item) => item.entry);
  const at = order.indexOf(entry);
  return at < 0 ? order[0] : order[at + by];
}

/** Where to go once an entry is decided: to the next, or else to the first of those that are left. */
export function afterDeciding(queue: Pick<Queue, "items">, entry: string): string | undefined {
  const order = inOrder(queue).map((item) => item.entry);
  return beside(queue, entry, 1) ?? order.find((each) => each !== entry);
}
