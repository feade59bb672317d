import { AppError } from "../core/error.ts";
import type { EntryKind, Files, FilesToWrite, FolderEntry, Stamp, TooLarge } from "../core/world.ts";

/** A file by its content, or something else by its kind. */
export type MemoryEntry = string | Uint8Array | { readonly kind: Exclude<EntryKind, "file"> };

/** A file tree in memory, keyed by absolute path. Folders are there by having something in them. */
export function memoryFiles(tree: Readonly<Record<string, MemoryEntry>>): Files & FilesToWrite {
  const entries = new Map(Object.entries(tree));
  const writes = new Map<string, number>();
  const put = (path: string, bytes: Uint8Array): void => {
    entries.set(path, bytes);
    writes.set(path, (writes.get(path) ?? 0) + 1);
  };
  const stampAt = (path: string): Stamp => {
    const [kind, content] = [kindAt(entries, path), entries.get(path) ?? ""];
    const size = typeof content === "string" || content instanceof Uint8Array ? Buffer.byteLength(content) : 0;
    // Every write is a tick of this disk's clock.
    const changedAt = writes.get(path) ?? 0;
    return { kind, size, mark: `${size}:${changedAt}`, changedAt };
  };
  const bytesAt = (path: string, max: number): Uint8Array | TooLarge => {
    kindAt(entries, path);
    const content = entries.get(path);
    if (typeof content !== "string" && !(content instanceof Uint8Array))
      throw new AppError("path.wrong-kind", `not a regular file: ${path}`);
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    return bytes.length > max ? { size: bytes.length } : bytes;
  };
  return {
    resolve: async (path) => {
      kindAt(entries, path);
      return path;
    },
    kind: async (path) => kindAt(entries, path),
    stamp: async (path) => stampAt(path),
    list: async (folder, max) => {
      if (kindAt(entries, folder) !== "folder") throw new AppError("path.wrong-kind", `not a folder: ${folder}`);
      const names = childrenOf(entries, folder);
      return { entries: names.slice(0, max), complete: names.length <= max };
    },
    read: async (path, max) => bytesAt(path, max),
    readStamped: async (path, max) => {
      const bytes = bytesAt(path, max);
      return { stamp: stampAt(path), bytes: bytes instanceof Uint8Array ? bytes : null };
    },
    isPrivate: async (path) => {
      kindAt(entries, path);
      return true;
    },
    write: async (path, bytes) => put(path, await wholeOf(bytes)),
    writePrivate: async (path, bytes) => put(path, await wholeOf(bytes)),
    createPrivate: async (path, bytes) => {
      if (entries.has(path)) return false;
      put(path, bytes);
      return true;
    },
    makePrivateFolder: async () => {},
    remove: async (path) => {
      kindAt(entries, path);
      entries.delete(path);
    },
    tidy: async () => {},
  };
}

async function wholeOf(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return bytes;
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

function kindAt(entries: ReadonlyMap<string, MemoryEntry>, path: string): EntryKind {
  const entry = entries.get(path);
  if (entry !== undefined) return typeof entry === "string" || entry instanceof Uint8Array ? "file" : entry.kind;
  if (childrenOf(entries, path).length > 0) return "folder";
  throw new AppError("path.missing", `no such path: ${path}`);
}

function childrenOf(entries: ReadonlyMap<string, MemoryEntry>, folder: string): FolderEntry[] {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  const names = new Set(
    [...entries.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).split("/")[0] ?? ""),
  );
  return [...names]
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((name) => ({ name, kind: kindAt(entries, prefix + name) }));
}
