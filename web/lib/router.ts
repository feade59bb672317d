import { signal } from "@preact/signals";

/** Where one is: `#/review/acme%3Askills%2Fnotes?tab=raw`. Behind the `#`, so that no server or log hears of it. */
export interface Place {
  /** The first part; empty for the overview. */
  readonly page: string;
  /** The parts after it, decoded. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const place = signal<Place>(read());

window.addEventListener("hashchange", () => (place.value = read()));

function read(): Place {
  const [path = "", query = ""] = window.location.hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...parts] = path.split("/").map(decoded);
  return { page, parts, query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A link to a page: `to("review", entry)`. */
export function to(page: string, ...parts: readonly string[]): string {
  return `#/${[page, ...parts].map(encodeURIComponent).join("/")}`;
}

export function go(link: string): void {
  window.location.hash = link;
}

/** Goes there in place of where one is: nothing to go back to is left. */
export function replace(link: string): void {
  window.history.replaceState(null, "", link);
  place.value = read();
}

/** The same place with another value behind the question mark; null takes it away. Nothing to go back to is left. */
export function setQuery(name: string, value: string | null): void {
  const { page, parts, query } = place.value;
  const next = new URLSearchParams(query);
  if (value === null || value === "") next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  replace(`${to(page, ...parts)}${text === "" ? "" : `?${text}`}`);
}
