/**
 * Lists by key, of which the first so many count. Which ones these are, and their order, does not depend on the order in
 * which they came. Adding is cheap: a list is put in order when it is looked at, or grows far too long.
 */
export class Foremost<Item> {
  readonly #lists = new Map<string, Item[]>();
  /** Keys of lists that are not in order. */
  readonly #loose = new Set<string>();
  readonly #order: (a: Item, b: Item) => number;
  readonly #most: number;

  constructor(order: (a: Item, b: Item) => number, most = Number.POSITIVE_INFINITY) {
    this.#order = order;
    this.#most = most;
  }

  /** False when the key had none before. */
  add(key: string, item: Item): boolean {
    const list = this.#lists.get(key);
    if (list === undefined) {
      this.#lists.set(key, [item]);
      return false;
    }
    list.push(item);
    if (list.length >= this.#most * 2) this.#tidy(list);
    else this.#loose.add(key);
    return true;
  }

  /** The same list each time, as long as nothing is added. */
  get(key: string): readonly Item[] | undefined {
    const list = this.#lists.get(key);
    if (list !== undefined && this.#loose.delete(key)) this.#tidy(list);
    return list;
  }

  keys(): Iterable<string> {
    return this.#lists.keys();
  }

  #tidy(list: Item[]): void {
    list.sort(this.#order);
    list.length = Math.min(list.length, this.#most);
  }
}
