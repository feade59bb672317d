import { entryId, isSourceId, parseEntryId } from "../../core/ids.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import type { View } from "./view.ts";
import { ProtocolError, ProtocolErrorCode, type Resource } from "@modelcontextprotocol/server";
import { DIRECTORY_MIME_TYPE } from "@modelcontextprotocol/server/ext/skills";
import { exactText } from "../../core/text.ts";
import type { BundleFile } from "../../skill/bundle.ts";

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

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * The items behind a cursor, so many at most. They are in the order of their keys, so that a page goes on where the one
 * before ended, whatever came and went meanwhile.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  size: number,
  cursor: string | undefined,
): Page<Item> {
  const after = cursor === undefined ? undefined : decode(cursor);
  const start = after === undefined ? 0 : firstAfter(items, keyOf, after);
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last === undefined || start + size >= items.length) return { items: page };
  return { items: page, nextCursor: Buffer.from(`after:${keyOf(last)}`).toString("base64url") };
}

function decode(cursor: string): string {
  const [, key] = /^after:(.*)$/s.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (key === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no such page");
  return key;
}

function firstAfter<Item>(items: readonly Item[], keyOf: (item: Item) => string, after: string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a host is told that a file is. Only a hint: nobody may act on it. */
export function mediaTypeOf(path: string, isText: boolean): string {
  const [, ending = ""] = /\.([a-z0-9]{1,8})$/i.exec(path) ?? [];
  return types.get(ending.toLowerCase()) ?? (isText ? "text/plain" : "application/octet-stream");
}

const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    md: "text/markdown",
    json: "application/json",
    yaml: "application/yaml",
    yml: "application/yaml",
    py: "text/x-python",
    sh: "application/x-sh",
    js: "text/javascript",
    mjs: "text/javascript",
    ts: "text/typescript",
    html: "text/html",
    css: "text/css",
    csv: "text/csv",
    xml: "application/xml",
    svg: "image/svg+xml",
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    pdf: "application/pdf",
  }),
);

/** What lies directly in a folder of a skill, by URI; nothing when the URI is none of its folders. */
export function childrenOf(root: string, files: readonly BundleFile[], folder: string): readonly Resource[] {
  const children = new Map<string, Resource>();
  for (const file of files) {
    const uri = uriIn(root, file.path);
    if (uri === null || !uri.startsWith(`${folder}/`)) continue;
    const [first = "", ...deeper] = uri.slice(folder.length + 1).split("/");
    const child = `${folder}/${first}`;
    children.set(child, deeper.length === 0 ? fileAt(child, file) : folderAt(child, first));
  }
  return [...children.values()].toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

function fileAt(uri: string, { path, bytes }: BundleFile): Resource {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { uri, name, mimeType: mediaTypeOf(path, exactText(bytes) !== null), size: bytes.length };
}

function folderAt(uri: string, segment: string): Resource {
  return { uri, name: decodeURIComponent(segment), mimeType: DIRECTORY_MIME_TYPE };
}
