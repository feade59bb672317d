import { createHash } from "node:crypto";
import type { FileContent } from "./script.ts";
import { crc32, deflateSync } from "node:zlib";

type ObjectKind = "blob" | "tree" | "commit" | "tag";

/** An object of git: what it holds, and the id that follows from it. */
export interface GitObject {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly bytes: Buffer;
}

function createObject(kind: ObjectKind, content: string | Uint8Array): GitObject {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  const id = createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");
  return { id, kind, bytes };
}

interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970; the zone is lost, as it is in GitHub's answers. */
  readonly time: number;
}

/** What a commit's object says. */
export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  /** Without the line feeds at its end. */
  readonly message: string;
  /** What was signed is the object without the signature. */
  readonly signed: { readonly signature: string; readonly payload: string } | null;
}

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly time: number;
  readonly zone: string;
  readonly isSigned: boolean;
}

/** Nobody's key made it; only its place in the object is real. */
const signature = [
  "-----BEGIN PGP SIGNATURE-----",
  "",
  "bWFkZSB1cCBieSBhIGZha2UgR2l0SHViLCBmb3IgdGVzdHMgb25seTsgbm8ga2V5IG1h",
  "ZGUgdGhpcw==",
  "=AAAA",
  "-----END PGP SIGNATURE-----",
];

export function createCommit({ tree, parents, message, time, zone, isSigned }: NewCommit): GitObject {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author Ada Author <ada@example.org> ${time} ${zone}`,
    `committer Carl Committer <carl@example.org> ${time} ${zone}`,
    ...(isSigned ? [`gpgsig ${signature.join("\n ")}`] : []),
    "",
    message === "" || message.endsWith("\n") ? message : `${message}\n`,
  ];
  return createObject("commit", lines.join("\n"));
}

export function createTag(name: string, commit: string, time: number): GitObject {
  const tagger = `Tia Tagger <tia@example.org> ${time} +0000`;
  return createObject("tag", `object ${commit}\ntype commit\ntag ${name}\ntagger ${tagger}\n\n${name}\n`);
}

/** The commit that an annotated tag points to. */
export function taggedBy(tag: GitObject): string {
  return fieldsOf(tag.bytes.toString()).find(([key]) => key === "object")?.[1] ?? "";
}

export function parseCommit({ id, bytes }: GitObject): Commit {
  const text = bytes.toString();
  const fields = fieldsOf(text);
  const all = (key: string): string[] => fields.flatMap(([name, value]) => (name === key ? [value] : []));
  const [signed] = all("gpgsig");
  return {
    id,
    tree: all("tree")[0] ?? "",
    parents: all("parent"),
    author: parsePerson(all("author")[0] ?? ""),
    committer: parsePerson(all("committer")[0] ?? ""),
    message: withoutLastLines(text.slice(text.indexOf("\n\n") + 2)),
    signed: signed === undefined ? null : { signature: signed, payload: withoutSignature(text) },
  };
}

function withoutLastLines(message: string): string {
  let end = message.length;
  while (message[end - 1] === "\n") end -= 1;
  return message.slice(0, end);
}

/** Lines that begin with a space go on with the one above. */
function fieldsOf(text: string): [key: string, value: string][] {
  const head = text.slice(0, text.indexOf("\n\n"));
  return head.split(/\n(?! )/).map((line) => {
    const space = line.indexOf(" ");
    return [line.slice(0, space), line.slice(space + 1).replaceAll("\n ", "\n")];
  });
}

function withoutSignature(text: string): string {
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, end).split(/\n(?! )/);
  return lines.filter((line) => !line.startsWith("gpgsig ")).join("\n") + text.slice(end);
}

function parsePerson(text: string): Person {
  const [, name = "", email = "", time = "0"] = /^(.*) <([^>]*)> (\d+) [+-]\d{4}$/.exec(text) ?? [];
  return { name, email, time: Number(time) };
}

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

export function parseTree(bytes: Buffer): [name: string, entry: Entry][] {
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

const kindNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 };

interface Pack {
  /** As git calls its files, without their ends. */
  readonly name: string;
  readonly pack: Buffer;
  readonly index: Buffer;
}

/** All objects of a push as git keeps them: a pack and its index. */
export function createPack(objects: readonly GitObject[]): Pack {
  const unique = [...new Map(objects.map((object) => [object.id, object])).values()];
  const parts = unique.map(({ id, kind, bytes }) => ({
    id,
    bytes: Buffer.concat([headOf(kindNumbers[kind], bytes.length), deflateSync(bytes, { level: 1 })]),
  }));
  const head = Buffer.concat([Buffer.from("PACK"), integers([2, parts.length])]);
  let offset = head.length;
  const rows = parts.map(({ id, bytes }) => {
    const row = { id, crc: crc32(bytes), offset };
    offset += bytes.length;
    return row;
  });
  const pack = withHash(Buffer.concat([head, ...parts.map(({ bytes }) => bytes)]));
  const hash = pack.subarray(-20);
  return { name: `pack-${hash.toString("hex")}`, pack, index: createIndex(rows, hash) };
}

interface IndexRow {
  readonly id: string;
  readonly crc: number;
  readonly offset: number;
}

/** Version 2: how many ids begin with each byte or a lower one, then the ids in order, their checksums and their places. */
function createIndex(rows: readonly IndexRow[], packHash: Buffer): Buffer {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const counts = new Map<string, number>();
  for (const { id } of sorted) counts.set(id.slice(0, 2), (counts.get(id.slice(0, 2)) ?? 0) + 1);
  let total = 0;
  const fanout = Array.from({ length: 256 }, (_, byte) => {
    return (total += counts.get(byte.toString(16).padStart(2, "0")) ?? 0);
  });
  return withHash(
    Buffer.concat([
      integers([0xff744f63, 2, ...fanout]),
      Buffer.from(sorted.map(({ id }) => id).join(""), "hex"),
      integers(sorted.map(({ crc }) => crc)),
      integers(sorted.map((row) => row.offset)),
      packHash,
    ]),
  );
}

function integers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
}

function withHash(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash("sha1").update(bytes).digest()]);
}

/** Four bits of the size beside the kind, then seven in each byte, lowest first; the top bit says that more follow. */
function headOf(kind: number, size: number): Buffer {
  const head: number[] = [];
  let byte = (kind << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push(byte | 128);
    byte = rest & 127;
  }
  return Buffer.from([...head, byte]);
}
