/** Names of members that are read at one level of a document, by what they are compared with. */
export type Keys = ReadonlyMap<string, string>;

export function createKeys(...names: readonly string[]): Keys {
  return new Map(names.map((name) => [foldKey(name), name]));
}

/**
 * What two names of members are compared by. Readers exist that take `Model` for `model` (those of Go and .NET do),
 * and beside another `model` they would see another value than we do.
 */
export function foldKey(key: string): string {
  // There and back folds what one way keeps apart: ſ and s.
  return key.toUpperCase().toLowerCase();
}
