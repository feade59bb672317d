import type { Randomness } from "./world.ts";

/** The identity of a skill's place in the registry: `{source}:{path}`. A name is only an alias (SK-13). */
export type EntryId = string;

export interface EntryParts {
  /** The source's id: lowercase letters, digits, hyphens; never a colon. */
  readonly source: string;
  /** The skill's folder inside the source, with `/`; empty for the root. */
  readonly path: string;
}

const sourcePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function isSourceId(text: string): boolean {
  return text.length <= 64 && sourcePattern.test(text);
}

export function entryId({ source, path }: EntryParts): EntryId {
  return `${source}:${path}`;
}

/** How the place is called in a sentence: an id that ends in a colon reads as if something were missing. */
export function placeName({ source, path }: EntryParts): string {
  return path === "" ? `the root of ${source}` : entryId({ source, path });
}

/** Splits at the first colon, since a source id has none and a path may. */
export function parseEntryId(id: string): EntryParts | undefined {
  const colon = id.indexOf(":");
  if (colon === -1) return undefined;
  const source = id.slice(0, colon);
  return isSourceId(source) ? { source, path: id.slice(colon + 1) } : undefined;
}

const usable = /^[\w-]{8,64}$/;

/** The client's own id where it is one, else a new one. It is in the answer and in the log. */
export function requestId(given: string | readonly string[] | undefined, random: Randomness): string {
  if (typeof given === "string" && usable.test(given)) return given;
  return `req_${Buffer.from(random.bytes(12)).toString("hex")}`;
}
