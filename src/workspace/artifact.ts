import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { isPublicName, safeLine } from "../core/text.ts";
import { type Bundle, skillFile } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import { publishFinding } from "./publish-faults.ts";
import { crc32 } from "node:zlib";

/** One skill as the public index has it (formats: `.well-known/agent-skills` 0.2.0), and what lies at its address. */
export interface Artifact {
  readonly name: string;
  readonly description: string;
  /** A SKILL.md alone is served as it is, several files as one archive. */
  readonly type: "skill-md" | "archive";
  /** Its last name in the address, behind the name of the skill. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Of exactly these bytes. */
  readonly digest: Digest;
}

const longestDescription = 1024;

/** Pure. What is published of a bundle, all of it made from its bytes alone; or why nothing is. */
export function artifactOf(entry: EntryId, bundle: Bundle): Artifact | Finding {
  const { skill } = parse(bundle, "ingest");
  const name = skill?.manifest.name ?? "";
  const description = skill?.manifest.description ?? "";
  const fault = nameFault(entry, name) ?? descriptionFault(entry, description) ?? pathFault(entry, bundle);
  if (fault !== undefined) return fault;
  const [only, ...others] = bundle.files;
  const isAlone = only?.path === skillFile && others.length === 0;
  const bytes = isAlone ? only.bytes : createTarGz(bundle.files);
  const [type, file] = isAlone ? (["skill-md", skillFile] as const) : (["archive", `${name}.tar.gz`] as const);
  return { name, description, type, file, bytes, digest: sha256(bytes) };
}

export function isArtifact(made: Artifact | Finding): made is Artifact {
  return "bytes" in made;
}

function nameFault(entry: EntryId, name: string): Finding | undefined {
  if (isPublicName(name)) return undefined;
  const message = `its name "${safeLine(name, 80)}" cannot stand in the index: only lowercase letters, digits and single hyphens between them can`;
  return publishFinding("published.name", entry, message);
}

/** Readers count in UTF-16; whatever is within their bound is within the one of the specification. */
function descriptionFault(entry: EntryId, { length }: string): Finding | undefined {
  if (length > 0 && length <= longestDescription) return undefined;
  const what = length === 0 ? "it has no description" : `its description has ${length} characters`;
  return publishFinding("published.description", entry, `${what}; the index takes 1 to ${longestDescription}`);
}

function pathFault(entry: EntryId, { files }: Bundle): Finding | undefined {
  const long = files.find(({ path }) => !fitsTar(path));
  if (long === undefined) return undefined;
  const message = `the path ${safeLine(long.path, 120)} is too long for the archives that all readers know`;
  return publishFinding("published.path", entry, message);
}

interface ArchiveFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const block = 512;
const end = Buffer.alloc(2 * block);

/**
 * A `.tar.gz` that follows from its files alone: same files in the same order, same bytes, on every node, machine and
 * version of Node. So nothing in it is compressed: what a compressor makes of the same text differs between them, and
 * a digest that one node lists would not be the one of what another serves.
 */
export function createTarGz(files: readonly ArchiveFile[]): Uint8Array {
  return gzipStored(Buffer.concat([...files.flatMap(tarEntry), end]));
}

/** Whether every reader finds a path again: one that is cut in two otherwise needs extensions that some do not know. */
export function fitsTar(path: string): boolean {
  return ustarName(path) !== undefined;
}

function tarEntry({ path, bytes }: ArchiveFile): Uint8Array[] {
  const padding = (block - (bytes.length % block)) % block;
  return [header(path, bytes.length), bytes, Buffer.alloc(padding)];
}

/** POSIX ustar: a plain file of nobody, made at the beginning of time, that its owner may write and all may read. */
function header(path: string, size: number): Buffer {
  const named = ustarName(path);
  if (named === undefined) throw new Error("no archive holds this path: ask `fitsTar` before");
  const head = Buffer.alloc(block);
  head.write(named.name, 0);
  writeOctal(head, 100, 8, 0o644);
  writeOctal(head, 108, 8, 0);
  writeOctal(head, 116, 8, 0);
  writeOctal(head, 124, 12, size);
  writeOctal(head, 136, 12, 0);
  // The checksum is taken with blanks in its own place.
  head.fill(" ", 148, 156);
  head.write("0", 156);
  head.write("ustar\x0000", 257, "latin1");
  head.write(named.prefix, 345);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return head;
}

function writeOctal(head: Buffer, at: number, length: number, value: number): void {
  head.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
}

/** A path as the two fields hold it, cut at a slash; undefined when it cannot be. */
function ustarName(path: string): { readonly name: string; readonly prefix: string } | undefined {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" };
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return { name, prefix };
  }
  return undefined;
}

const longestStored = 0xffff;

/** RFC 1952 around blocks of RFC 1951 that are stored as they are. */
function gzipStored(bytes: Buffer): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])];
  for (let at = 0; at < bytes.length; at += longestStored) {
    const stored = bytes.subarray(at, at + longestStored);
    const isLast = at + stored.length === bytes.length;
    const length = Buffer.from([isLast ? 1 : 0, 0, 0, 0, 0]);
    length.writeUInt16LE(stored.length, 1);
    length.writeUInt16LE(0xffff - stored.length, 3);
    parts.push(length, stored);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4);
  return Buffer.concat([...parts, trailer]);
}
