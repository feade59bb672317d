import { entryId, isSourceId, parseEntryId } from "../../base/ids.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import type { View } from "./view.ts";

const scheme = "skill://";

/** Far more than any path inside a source is long, with every byte of it escaped. */
const longestUri = 32_768;
/** Parts of a URI. */
const deepest = 1024;

/** What a skill's URI is made of. */
type Placed = Pick<UsableEntry, "id" | "name">;

/**
 * The folder of a skill: its source, its path there and, where the path does not end in it, its name. Two sources never
 * share one. Null when there is no such URI, or a reader would take it for another one.
 */
export function rootOf({ id, name }: Placed): string | null {
  const parts = parseEntryId(id);
  if (parts === undefined) return null;
  const folders = parts.path === "" ? [] : parts.path.split("/");
  return joined(scheme + parts.source, folders.at(-1) === name ? folders : [...folders, name]);
}

/** A file or a folder inside of a skill. Null as for `rootOf`. */
export function uriIn(root: string, path: string): string | null {
  return joined(root, path.split("/"));
}

function joined(base: string, segments: readonly string[]): string | null {
  const isSound = segments.every((segment) => segment.isWellFormed() && !/^\.{0,2}$/.test(segment));
  const uri = isSound ? [base, ...segments.map(encodeURIComponent)].join("/") : "";
  return isSound && uri.length <= longestUri ? uri : null;
}

/** Where a URI leads. */
export interface Located {
  readonly entry: UsableEntry;
  readonly root: string;
}

/**
 * The skill at or below whose folder a URI lies; null when there is none, and when it could be more than one. T23: only as
 * we write it: nothing that has a second spelling, a `..`, a query or a fragment is anybody's.
 */
export function locate({ entries }: Pick<View, "entries">, uri: string): Located | null {
  const [source = "", ...segments] = uri.startsWith(scheme) ? uri.slice(scheme.length).split("/", deepest) : [];
  const folders = segments.map(decoded);
  if (!isSourceId(source) || joined(scheme + source, folders) !== uri) return null;
  const found: Located[] = [];
  let path = "";
  for (const folder of ["", ...folders]) {
    path = path === "" ? folder : `${path}/${folder}`;
    const entry = entries.get(entryId({ source, path }));
    const root = entry === undefined ? null : rootOf(entry);
    if (entry !== undefined && root !== null && `${uri}/`.startsWith(`${root}/`)) found.push({ entry, root });
  }
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : null;
}

/** What cannot be decoded is nothing that we write. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
