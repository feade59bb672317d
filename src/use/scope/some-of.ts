import { safeLine } from "../../base/text.ts";

/** The first of a list, in words that may be shown, and how many more there are. */
export function someOf(names: readonly string[], most = 3): string {
  const first = names.slice(0, most).map((name) => safeLine(name));
  const more = names.length - first.length;
  return more === 0 ? first.join(", ") : [first.join(", "), `${more} more`].filter((part) => part !== "").join(" and ");
}
