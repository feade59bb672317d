import type { Contexts } from "./app.ts";

/** One of a kind for all who ask on a node, whoever they are: what it knows is of the store that is open. */
export function perNode<Asking extends Pick<Contexts, "kept">, Value>(
  make: (asking: Asking) => Value,
): (asking: Asking) => Value {
  const made = new WeakMap<Contexts["kept"], Value>();
  return (asking) => {
    const known = made.get(asking.kept);
    if (known !== undefined) return known;
    const value = make(asking);
    made.set(asking.kept, value);
    return value;
  };
}
