export interface LruLimits<Value> {
  readonly entries?: number;
  /** Of all values together. */
  readonly weight?: number;
  readonly weightOf?: (value: Value) => number;
}

/** Keeps the values that were used last, by key, within its limits. */
export class LruCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #limits: Required<LruLimits<Value>>;
  #weight = 0;

  constructor({ entries = Infinity, weight = Infinity, weightOf = () => 1 }: LruLimits<Value>) {
    this.#limits = { entries, weight, weightOf };
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    // The first key of the map is the one that was not used for longest.
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** To look is no use of it: the value goes no later for that. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Returns the value. One that alone weighs more than all may is not kept. */
  set(key: string, value: Value): Value {
    const { entries, weight, weightOf } = this.#limits;
    this.delete(key);
    this.#values.set(key, value);
    this.#weight += weightOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= weight && this.#values.size <= entries) break;
      this.delete(oldest);
    }
    return value;
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#weight -= this.#limits.weightOf(value);
  }
}
