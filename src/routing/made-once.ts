/** What is made once of something that never changes, and kept for as long as that is. */
export interface MadeOnce<Source, Made> {
  /** What is still to be made is made at once. */
  of(source: Source): Made;
  /** Makes it beforehand in small steps. Whoever needs it before the last one need not wait: see `of`. */
  prepare(source: Source): Generator<void, void>;
}

export function madeOnce<Source extends WeakKey, Made>(
  make: (source: Source) => Generator<void, Made>,
): MadeOnce<Source, Made> {
  const known = new WeakMap<Source, Making<Made>>();
  const makingOf = (source: Source): Making<Made> => {
    const making = known.get(source) ?? new Making(() => make(source));
    known.set(source, making);
    return making;
  };
  return {
    of: (source) => makingOf(source).finish(),
    *prepare(source) {
      const making = makingOf(source);
      while (making.step() === undefined) yield;
    },
  };
}

class Making<Made> {
  readonly #begin: () => Generator<void, Made>;
  #work: Generator<void, Made> | undefined;
  #made: { readonly value: Made } | undefined;

  constructor(begin: () => Generator<void, Made>) {
    this.#begin = begin;
  }

  /** Undefined while there is more to do. What failed is begun anew by whoever comes next. */
  step(): { readonly value: Made } | undefined {
    if (this.#made !== undefined) return this.#made;
    const work = (this.#work ??= this.#begin());
    this.#work = undefined;
    const { done, value } = work.next();
    if (done === true) return (this.#made = { value });
    this.#work = work;
    return undefined;
  }

  finish(): Made {
    for (;;) {
      const made = this.step();
      if (made !== undefined) return made.value;
    }
  }
}

/** What one item costs may be a hundred phrases: few enough for a step of a millisecond. */
const itemsInStep = 16;

/** Does something with each item, a few in a step. */
export function* inSteps<Item>(items: Iterable<Item>, act: (item: Item) => void): Generator<void, void> {
  let done = 0;
  for (const item of items) {
    act(item);
    if (++done % itemsInStep === 0) yield;
  }
}
