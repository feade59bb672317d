/** The latest results of a pure function by what they were made from. Bounded; the one not used for longest goes first. */
export class Recent<Value> {
  readonly #kept = new Map<string, Value>();
  readonly #most: number;
  readonly #weightOf: (value: Value) => number;
  #weight = 0;

  /** `most`: of all weights together. */
  constructor(most: number, weightOf: (value: Value) => number) {
    this.#most = most;
    this.#weightOf = weightOf;
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  keep(key: string, value: Value): Value {
    this.#kept.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const [oldest, first] of this.#kept) {
      if (this.#weight <= this.#most) break;
      this.#kept.delete(oldest);
      this.#weight -= this.#weightOf(first);
    }
    return value;
  }
}
