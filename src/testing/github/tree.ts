import { createObject, type GitObject } from "./object.ts";
import type { FileContent } from "./script.ts";

interface Entry {
  readonly mode: string;
  readonly id: string;
}

type Read = (id: string) => GitObject | undefined;
type Change = FileContent | null | Changes;
interface Changes extends Map<string, Change> {}

/** The tree that comes out when files are put into another one, or taken out; the objects that are new go to `into`. */
export function createTree(
  base: string | undefined,
  files: Readonly<Record<string, FileContent | null>>,
  read: Read,
  into: GitObject[],
): string {
  const changes: Changes = new Map();
  for (const [path, content] of Object.entries(files)) place(changes, path, content);
  return changedTree(base, changes, read, into) ?? add(into, createObject("tree", "")).id;
}

function place(changes: Changes, path: string, content: FileContent | null): void {
  const names = path.split("/");
  if (names.some((name) => name === "" || name.includes("\0"))) throw new Error(`not a path: ${JSON.stringify(path)}`);
  const last = names.pop() ?? "";
  let folder = changes;
  for (const name of names) {
    const known = folder.get(name);
    const next: Changes = known instanceof Map ? known : new Map();
    folder.set(name, next);
    folder = next;
  }
  if (folder.get(last) instanceof Map) throw new Error(`a file and a folder in one: ${JSON.stringify(path)}`);
  folder.set(last, content);
}

/** Undefined when nothing is left: git has no empty folders. */
function changedTree(base: string | undefined, changes: Changes, read: Read, into: GitObject[]): string | undefined {
  const entries = new Map(base === undefined ? [] : parseTree(read(base)?.bytes ?? Buffer.alloc(0)));
  for (const [name, change] of changes) {
    const known = entries.get(name);
    entries.delete(name);
    const entry = change instanceof Map ? changedFolder(known, change, read, into) : entryOf(change, into);
    if (entry) entries.set(name, entry);
  }
  return entries.size === 0 ? undefined : add(into, createObject("tree", renderTree(entries))).id;
}

function changedFolder(known: Entry | undefined, changes: Changes, read: Read, into: GitObject[]): Entry | undefined {
  const id = changedTree(known?.mode === "40000" ? known.id : undefined, changes, read, into);
  return id === undefined ? undefined : { mode: "40000", id };
}

function entryOf(content: FileContent | null, into: GitObject[]): Entry | undefined {
  if (content === null) return undefined;
  const blob = (mode: string, bytes: string | Uint8Array): Entry => ({
    mode,
    id: add(into, createObject("blob", bytes)).id,
  });
  if (typeof content === "string" || content instanceof Uint8Array) return blob("100644", content);
  if ("link" in content) return blob("120000", content.link);
  if ("executable" in content) return blob("100755", content.executable);
  return { mode: "160000", id: content.submodule };
}

function add(into: GitObject[], object: GitObject): GitObject {
  into.push(object);
  return object;
}

function parseTree(bytes: Buffer): [name: string, entry: Entry][] {
  const entries: [string, Entry][] = [];
  for (let at = 0; at < bytes.length; ) {
    const [space, zero] = [bytes.indexOf(32, at), bytes.indexOf(0, at)];
    const [mode, name] = [bytes.toString("latin1", at, space), bytes.toString("utf8", space + 1, zero)];
    at = zero + 21;
    entries.push([name, { mode, id: bytes.toString("hex", zero + 1, at) }]);
  }
  return entries;
}

/** In git's order, in which a folder stands where its name with a slash behind it would. */
function renderTree(entries: ReadonlyMap<string, Entry>): Buffer {
  const rows = [...entries].map(([name, { mode, id }]) => ({
    key: Buffer.from(mode === "40000" ? `${name}/` : name),
    bytes: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
  }));
  return Buffer.concat(rows.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(({ bytes }) => bytes));
}
