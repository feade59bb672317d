import { setDigest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { parseEntryId } from "../core/ids.ts";
import { limits } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { createBundle, skillFile } from "../skill/bundle.ts";
import { isObjectId, parseRef } from "../sources/ref.ts";
import { repositoryPathFault } from "../sources/repository.ts";
import { folderOf, isRepositoryName } from "./locked-repository.ts";
import { JsonFault } from "../core/json/tokens.ts";
import { type JsonNode, type JsonObject, parseJsonTree } from "../core/json/tree.ts";
import {
  type ExportedSkill,
  inByteOrder,
  isFolderName,
  isExported,
  type Lock,
  type Locked,
  type LockedFiles,
  type LockedSkill,
  lockFile,
  lockVersion,
  mostLocked,
  parseKey,
} from "./lock.ts";

const mostAccepted = 100;
/** Far more than a lock needs. */
const bounds = { depth: 8, string: 4096 };

/**
 * Reads a lock file. It comes with a cloned repository, so it is hostile until shown otherwise: what is not exactly as
 * `renderLock` would have it refuses the whole file, by line. It names folders, files and repositories, never a host.
 */
export function parseLock(text: string): Lock {
  refuseConflicts(text);
  try {
    return lockOf(new Fields(parseJsonTree(text, bounds), lockFile));
  } catch (error) {
    if (error instanceof JsonFault) throw unusable(error.message, error.line);
    throw error;
  }
}

/** What git leaves where two branches changed the same lines. */
function refuseConflicts(text: string): void {
  const conflict = /^(?:<{7}|={7}|>{7})(?: |\r?$)/m.exec(text);
  if (conflict === null) return;
  const line = text.slice(0, conflict.index).split("\n").length;
  throw unusable("a merge left its marks: keep one side of each skill, then `skillward install --frozen`", line);
}

function lockOf(fields: Fields): Lock {
  const version = fields.take("version");
  if (version.kind !== "scalar" || version.value !== lockVersion)
    throw new JsonFault(
      `the version is not ${lockVersion}, the only one this Skillward reads; a newer one may`,
      version.line,
    );
  const skills = fields.object("skills", mostLocked.skills);
  fields.finish();
  const lock = new Map<string, Locked>();
  for (const [key, node] of skills.members) {
    const said = new Fields(node, key);
    const skill = said.has("registry") ? exportedOf(said) : skillOf(said);
    if (!canBeAt(key, skill)) throw new JsonFault(`"${key}" cannot be the folder of this skill`, node.line);
    lock.set(key, skill);
  }
  return new Map(inByteOrder(lock));
}

/** AG-11: what is locked as one skill cannot come from the folder of another. T44: and lies where skills do. */
function canBeAt(key: string, skill: Locked): boolean {
  if (isExported(skill)) return parseKey(key) !== undefined;
  return isFolderName(key) && key === folderOf(skill.path, skill.source.replace(/^.*\//, ""));
}

function exportedOf(fields: Fields): ExportedSkill {
  const skill = {
    registry: fields.text("registry", isRegistryId, "the id of a store, 32 hex digits"),
    entry: fields.text("entry", (id) => parseEntryId(id) !== undefined, "the id of an entry"),
    digest: fields.text("digest", isDigest, "64 hex digits"),
    files: filesOf(fields),
    executable: [],
  };
  fields.finish();
  demandWhole(skill, fields);
  return skill;
}

function skillOf(fields: Fields): LockedSkill {
  const skill = {
    source: fields.text("source", isRepositoryName, "owner/name"),
    hosts: fields.text("hosts", isHostsName, "the name of a GitHub of your own configuration, such as github.com"),
    path: fields.text("path", (path) => repositoryPathFault(path) === undefined, "a path inside the repository"),
    ref: fields.textOrNull("ref", isMovingRef, "heads/<branch>, tags/<tag> or null"),
    commit: fields.text("commit", isObjectId, "40 hex digits"),
    repositoryId: fields.id("repositoryId"),
    ownerId: fields.id("ownerId"),
    tree: fields.text("tree", isObjectId, "40 hex digits"),
    digest: fields.text("digest", isDigest, "64 hex digits"),
    files: filesOf(fields),
    executable: fields.texts("executable", limits.skill.ingest.bundleFiles, () => true, "a path of one of the files"),
    accepted: fields.texts("accepted", mostAccepted, isCode, "codes of findings"),
    proof: proofOf(fields),
  };
  fields.finish();
  demandWhole(skill, fields);
  return skill;
}

function filesOf(fields: Fields): ReadonlyMap<string, string> {
  const { members, line } = fields.object("files", limits.skill.ingest.bundleFiles);
  if (!isSafe([...members.keys()])) throw new JsonFault("files: a path that no skill may have", line);
  const below = new Fields({ kind: "object", members, line }, "files");
  return new Map(inByteOrder(members).map(([path]) => [path, below.text(path, isDigest, "64 hex digits")]));
}

function proofOf(fields: Fields): LockedSkill["proof"] {
  const proof = new Fields(fields.object("proof", 2), "proof");
  const commit = proof.text("commit", (word) => word === "hashed" || word === "by API", "hashed or by API");
  const reachable = proof.textOrNull("reachable", isMovingRef, "heads/<branch>, tags/<tag> or null");
  proof.finish();
  return { commit: commit === "hashed" ? "hashed" : "by API", reachable };
}

/** A lock that was changed by hand in one place only is found out here. */
function demandWhole({ digest, files, executable }: LockedFiles, { line, name }: Fields): void {
  if (!files.has(skillFile)) throw new JsonFault(`${name}: files has no SKILL.md`, line);
  const stray = executable.find((path) => !files.has(path));
  if (stray !== undefined) throw new JsonFault(`${name}: executable names "${stray}", which is not in files`, line);
  if (setDigest(Array.from(files, ([path, each]) => ({ path, digest: each }))) !== digest)
    throw new JsonFault(`${name}: the digest is not the one of its files`, line);
}

/** By the one rule there is for paths of a bundle (T23). */
function isSafe(paths: readonly string[]): boolean {
  const { files } = createBundle(
    "",
    paths.map((path) => [path, new Uint8Array()]),
  );
  return files.length === paths.length;
}

function isMovingRef(text: string): boolean {
  const ref = parseRef(text);
  return ref !== undefined && ref.kind !== "commit";
}

function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function isRegistryId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

function isHostsName(text: string): boolean {
  return text.length <= 64 && /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(text);
}

function isCode(text: string): boolean {
  return /^[a-z][a-z0-9.-]{1,63}$/.test(text);
}

/** The members of one object, each taken once: what nobody took is a word that nobody knows. */
class Fields {
  readonly name: string;
  readonly line: number;
  readonly #left: Map<string, JsonNode>;

  constructor(node: JsonNode, name: string) {
    if (node.kind !== "object") throw new JsonFault(`${name}: expected { … }`, node.line);
    this.name = name;
    this.line = node.line;
    this.#left = new Map(node.members);
  }

  has(key: string): boolean {
    return this.#left.has(key);
  }

  take(key: string): JsonNode {
    const node = this.#left.get(key);
    if (node === undefined) throw new JsonFault(`${this.name}: "${key}" is missing`, this.line);
    this.#left.delete(key);
    return node;
  }

  finish(): void {
    for (const [key, { line }] of this.#left) throw new JsonFault(`${this.name}: "${key}" is not a known word`, line);
  }

  text(key: string, fits: (text: string) => boolean, expects: string): string {
    const node = this.take(key);
    if (node.kind === "scalar" && typeof node.value === "string" && fits(node.value)) return node.value;
    throw expected(key, expects, node);
  }

  textOrNull(key: string, fits: (text: string) => boolean, expects: string): string | null {
    const node = this.#left.get(key);
    if (node?.kind !== "scalar" || node.value !== null) return this.text(key, fits, expects);
    this.#left.delete(key);
    return null;
  }

  id(key: string): number {
    const node = this.take(key);
    const value = node.kind === "scalar" ? node.value : null;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
    throw expected(key, "a whole number above 0", node);
  }

  texts(key: string, most: number, fits: (text: string) => boolean, expects: string): readonly string[] {
    const node = this.take(key);
    if (node.kind !== "list" || node.items.length > most) throw expected(key, `a list of at most ${most}`, node);
    const texts = node.items.map((item) => {
      if (item.kind === "scalar" && typeof item.value === "string" && fits(item.value)) return item.value;
      throw expected(key, expects, item);
    });
    if (new Set(texts).size < texts.length) throw expected(key, "each only once", node);
    return texts;
  }

  object(key: string, most: number): JsonObject {
    const node = this.take(key);
    if (node.kind === "object" && node.members.size <= most) return node;
    throw expected(key, `{ … } with at most ${most} in it`, node);
  }
}

function expected(key: string, expects: string, { line }: JsonNode): JsonFault {
  return new JsonFault(`${key}: expected ${expects}`, line);
}

function unusable(why: string, line: number): AppError {
  return new AppError("config.invalid", `${lockFile}:${line} cannot be used: ${safeLine(why, 240)}`);
}
