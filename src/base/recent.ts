/** The values that were used last, by key. Bounded; the one not used for longest goes first. */
export class Recent<Value> {
  readonly #kept = new Map<string, Value>();
  readonly #most: number;
  readonly #weightOf: (value: Value) => number;
  #weight = 0;

  /** `most`: of all weights together; without a weight, how many there are. */
  constructor(most: number, weightOf: (value: Value) => number = () => 1) {
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
    this.#drop(key);
    this.#kept.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most) break;
      this.#drop(oldest);
    }
    return value;
  }

  #drop(key: string): void {
    const value = this.#kept.get(key);
    if (value === undefined) return;
    this.#kept.delete(key);
    this.#weight -= this.#weightOf(value);
  }
}
