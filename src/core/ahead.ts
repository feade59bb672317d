/**
 * Does `act` for every item and yields the results in order, with up to `most` under way at once: the next ones are
 * prepared while the caller works on this one. Whoever stops early waits for nothing but what is under way.
 */
export async function* ahead<Item, Result>(
  items: readonly Item[],
  most: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = items.values();
  const underWay: Promise<Result>[] = [];
  const start = () => {
    const { value: item, done } = waiting.next();
    if (done === true) return;
    const started = act(item);
    // Whoever awaits it sees the fault; one that nobody awaits any more is nobody's.
    started.catch(() => {});
    underWay.push(started);
  };
  try {
    for (let count = 0; count < most; count++) start();
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) {
      const result = await first;
      start();
      yield result;
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}
