import { nameOf } from "../tree-index.ts";
import { ahead } from "../../core/async.ts";
import { AppError, isUnreachable } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { limits } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import { type Bundle, createBundle, pathFault, skillFile } from "../../skill/bundle.ts";
import { tooLarge } from "../../skill/document.ts";
import { finding } from "../../skill/faults.ts";
import { blobId, type ProvenTree, type TreeEntry } from "../git/git.ts";
import type { ObjectId } from "../ref.ts";
import { fullName, type Repository } from "../repository.ts";
import type { TreeSkill } from "../tree-skills.ts";
import type { GitHub } from "./github.ts";
import { readTarball } from "./tarball.ts";

/** Where bytes are fetched: one commit, whose tree is proven. */
export interface At {
  readonly repository: Repository;
  readonly commit: ObjectId;
  readonly tree: ProvenTree;
}

/** A skill with its bytes, every one of which hashes to what the commit's tree names (IN-8). */
export interface FetchedSkill {
  readonly skill: TreeSkill;
  readonly bundle: Bundle;
  /** Paths inside the bundle. */
  readonly executable: readonly string[];
}

/** Called for every file that came, with its size. */
export type OnFile = (bytes: number) => void;

/**
 * Fetches skills in whatever way costs least: as one tarball, or file by file. What a tarball lacks or changed on the
 * way (`export-ignore`, `export-subst`, line ends) is fetched again by commit before it is called a mismatch (IN-8).
 */
export async function* fetchSkills(
  github: GitHub,
  at: At,
  skills: readonly TreeSkill[],
  onFile: OnFile = () => {},
): AsyncGenerator<FetchedSkill> {
  const parts = skills.map((skill) => new Part(skill, at.repository));
  const needed = parts.flatMap(({ wanted }) => wanted);
  for (const part of parts) if (part.isComplete) yield part.finish();
  if (isTarballCheaper(at.tree, needed)) yield* fromTarball(github, at, parts, onFile);
  yield* fileByFile(github, at, parts, onFile);
}

/** One skill while its files arrive. */
class Part {
  readonly skill: TreeSkill;
  /** What is to be fetched: nothing of a skill that is beyond the bounds of one. */
  readonly wanted: readonly TreeEntry[];
  readonly #repository: Repository;
  readonly #fault: Finding | undefined;
  readonly #bytes = new Map<string, Uint8Array>();
  #isFinished = false;

  constructor(skill: TreeSkill, repository: Repository) {
    this.skill = skill;
    this.#repository = repository;
    this.#fault = boundFault(skill);
    this.wanted = this.#fault === undefined ? skill.files.filter(({ path }) => this.#isNameable(path)) : [];
  }

  /** T23: what no bundle takes in is not asked for. */
  #isNameable(path: string): boolean {
    return pathFault(this.#inside(path)) === undefined;
  }

  #inside(path: string): string {
    return this.skill.path === "" ? path : path.slice(this.skill.path.length + 1);
  }

  get missing(): readonly TreeEntry[] {
    return this.#isFinished ? [] : this.wanted.filter(({ path }) => !this.#bytes.has(path));
  }

  get isComplete(): boolean {
    return !this.#isFinished && this.#bytes.size === this.wanted.length;
  }

  take(path: string, bytes: Uint8Array): void {
    if (!this.#isFinished) this.#bytes.set(path, bytes);
  }

  /** The bundle; its bytes are held no longer here. */
  finish(): FetchedSkill {
    this.#isFinished = true;
    // The bundle says of each path that it refuses why, whatever its bytes.
    const refused = this.skill.files.filter(({ path }) => !this.#isNameable(path));
    const files = [...this.#bytes, ...refused.map(({ path }) => [path, new Uint8Array()] as const)];
    this.#bytes.clear();
    const folder = this.skill.path === "" ? this.#repository.name : nameOf(this.skill.path);
    const findings = [...this.skill.findings, ...(this.#fault === undefined ? [] : [this.#fault])];
    const inside = files.map(([path, bytes]) => [this.#inside(path), bytes] as const);
    const bundle = createBundle(folder, inside, { findings, complete: this.#fault === undefined });
    const executable = this.wanted.filter(({ mode }) => mode === "100755").map(({ path }) => this.#inside(path));
    return { skill: this.skill, bundle, executable };
  }
}

/** SK-3, SK-11: known by the tree's sizes before a byte is fetched; a size that lies is found out by its hash. */
function boundFault({ path, files }: TreeSkill): Finding | undefined {
  const { bundleFiles, bundleBytes, fileBytes } = limits.skill.ingest;
  const at = path === "" ? skillFile : `${path}/${skillFile}`;
  const main = files.find((file) => file.path === at)?.size ?? 0;
  if (files.length > bundleFiles)
    return finding("bundle.files", `more than ${bundleFiles} files or folders; the rest was not read`, skillFile);
  if (totalSize(files) > bundleBytes)
    return finding("bundle.bytes", `more than ${bundleBytes} bytes; the rest was not read`, skillFile);
  return main > fileBytes ? tooLarge(main, fileBytes) : undefined;
}

function totalSize(files: readonly TreeEntry[]): number {
  return files.reduce((sum, { size }) => sum + (size ?? 0), 0);
}

/** What a request costs beside its bytes, in bytes of a usual line. */
const requestCost = 64 * 1024;
/** How far text compresses. */
const compression = 3;

function isTarballCheaper(tree: ProvenTree, needed: readonly TreeEntry[]): boolean {
  const all = totalSize([...tree.entries.values()]);
  const asFiles = new Set(needed.map(({ id }) => id)).size * requestCost + totalSize(needed);
  // Of a tree that is not known as a whole, with all sizes, nobody can say how large its tarball may be.
  const isKnown = tree.unknown.length === 0 && needed.every(({ size }) => size !== null);
  return needed.length > 1 && isKnown && all / compression + requestCost < asFiles;
}

/** A stream that breaks is begun anew; what came before counts. */
const tarballTries = 3;

async function* fromTarball(
  github: GitHub,
  at: At,
  parts: readonly Part[],
  onFile: OnFile,
): AsyncGenerator<FetchedSkill> {
  const wanted = new Map(parts.flatMap((part) => part.wanted.map((entry) => [entry.path, { part, entry }])));
  const most = tarballBounds(at.tree);
  for (let tries = 1; wanted.size > 0; tries++) {
    try {
      const stream = await github.tarball(at.repository, at.commit);
      for await (const { path, bytes } of readTarball(stream, {
        most,
        wanted: (name) => wanted.get(name)?.entry.size ?? undefined,
      })) {
        const want = wanted.get(path);
        // Changed on the way, by whatever: fetched again below, and refused there.
        if (want === undefined || blobId(bytes) !== want.entry.id) continue;
        wanted.delete(path);
        want.part.take(path, bytes);
        onFile(bytes.length);
        if (want.part.isComplete) yield want.part.finish();
        // The rest of the repository is nobody's.
        if (wanted.size === 0) return;
      }
      return;
    } catch (error) {
      if (tries >= tarballTries || !isUnreachable(error)) throw error;
    }
  }
}

/** T7: as many entries and bytes as the proven tree says, and what tar puts around them. */
function tarballBounds({ entries }: ProvenTree): { readonly entries: number; readonly bytes: number } {
  const count = entries.size + 16;
  // Attributes can make a file longer (`eol=crlf`, `$Format$`), at most about twice as long.
  return { entries: count * 2, bytes: 2 * totalSize([...entries.values()]) + count * 4096 + 2 ** 20 };
}

const filesAhead = 8;
/** A file that is a little too long is a mismatch, which says more than that too much came. */
const tolerated = 64 * 1024;

async function* fileByFile(
  github: GitHub,
  at: At,
  parts: readonly Part[],
  onFile: OnFile,
): AsyncGenerator<FetchedSkill> {
  const waiting = parts.flatMap((part) => part.missing.map((entry) => ({ part, entry })));
  const fetch = async ({ part, entry }: (typeof waiting)[number]) => {
    const bytes = await github.file(
      at.repository,
      at.commit,
      entry.path,
      (entry.size ?? limits.skill.ingest.bundleBytes) + tolerated,
    );
    if (blobId(bytes) !== entry.id) throw mismatch(at, entry);
    return { part, entry, bytes };
  };
  for await (const { part, entry, bytes } of ahead(waiting, filesAhead, fetch)) {
    part.take(entry.path, bytes);
    onFile(bytes.length);
    if (part.isComplete) yield part.finish();
  }
}

/** T13. Nothing of it is kept, and the pin stays where it is. */
function mismatch({ repository, commit }: At, { path, id }: TreeEntry): AppError {
  const where = `${safeLine(path)} in ${safeLine(fullName(repository))} at ${commit.slice(0, 12)}`;
  return new AppError(
    "digest.mismatch",
    `the bytes of ${where} are not the ones that the commit names (${id.slice(0, 12)}); nothing was taken in: try again later, and if it stays so, somebody between here and the repository changes them`,
  );
}
