import { compareTexts, safeLine } from "../core/text.ts";

/** The first of a list, in words that may be shown, and how many more there are. */
export function someOf(names: readonly string[], most = 3): string {
  const first = names.slice(0, most).map((name) => safeLine(name));
  const more = names.length - first.length;
  return more === 0 ? first.join(", ") : [first.join(", "), `${more} more`].filter((part) => part !== "").join(" and ");
}

export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareTexts(a.id, b.id);
}

/** Frozen through and through. For plain data of bounded depth only. */
export function deepFrozen<Data>(data: Data): Data {
  if (typeof data !== "object" || data === null) return data;
  for (const part of Object.values(data)) deepFrozen(part);
  return Object.freeze(data);
}
