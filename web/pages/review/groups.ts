import type { Queue, WaitingLine } from "#contract";

interface Group {
  readonly title: string;
  readonly items: readonly WaitingLine[];
}

const isNew = ({ state }: WaitingLine) => state === "new";
const isBlocked = ({ state }: WaitingLine) => state === "blocked";

/** What waits, in the order in which it is gone through: what is in use somewhere and has changed comes first. */
export function groupsOf({ items }: Pick<Queue, "items">): readonly Group[] {
  const groups = [
    { title: "Changed since approval", items: items.filter((item) => !isNew(item) && !isBlocked(item)) },
    { title: "Blocked by a finding or a block", items: items.filter(isBlocked) },
    { title: "New", items: items.filter(isNew) },
  ];
  return groups.filter((group) => group.items.length > 0);
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
