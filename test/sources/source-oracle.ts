import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { App } from "../../src/app/app.ts";
import type { Timer } from "../../src/core/world.ts";
import { type Entry, readProvenance } from "../../src/registry/entry.ts";
import type { Bundle } from "../../src/skill/bundle.ts";
import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { realWorld } from "../support/registry.ts";
import { git } from "../support/source-real-git.ts";

/** Where a skill is. */
export interface Place {
  readonly name: string;
  readonly path: string;
  readonly commit: string;
}

/** What git itself has in the repositories of a fake: what everything that is kept is held against. */
export class Upstream {
  readonly #repositories = new Map<string, FakeRepository>();
  readonly #commits = new Map<string, ReadonlyMap<string, string>>();
  /** What was compared before: bytes that have a digest, and commits, do not change. */
  readonly #faithful = new Set<string>();

  add(repository: FakeRepository): FakeRepository {
    this.#repositories.set(repository.fullName, repository);
    return repository;
  }

  /** The files of a commit, each with the id of its bytes. */
  files(name: string, commit: string): ReadonlyMap<string, string> {
    const repository = this.#repositories.get(name);
    if (repository === undefined) throw new Error(`nobody made ${name}`);
    const files = this.#commits.get(commit) ?? listed(git(repository, ["ls-tree", "-r", "-z", commit]).toString());
    this.#commits.set(commit, files);
    return files;
  }

  /** Whether a bundle is what a folder of a commit has, file for file and byte for byte. */
  expectBundle(bundle: Pick<Bundle, "files"> | undefined, { name, path, commit }: Place): void {
    const kept = new Map(bundle?.files.map((file) => [`${path}/${file.path}`, blobId(file.bytes)]));
    const inGit = [...this.files(name, commit)].filter(([file]) => file.startsWith(`${path}/`));
    expectEqual(kept, new Map(inGit));
  }

  /** The folders with a SKILL.md of a commit. */
  skills(name: string, commit: string): string[] {
    const ending = "/SKILL.md";
    const files = [...this.files(name, commit).keys()].filter((path) => path.endsWith(ending));
    return files.map((path) => path.slice(0, -ending.length));
  }

  /**
   * No wrong byte is kept: every revision that an entry has, or ever had, is what git has at the commit and path it is
   * said to come from, file for file. Says how many entries there are.
   */
  async expectFaithful(app: App, placeOf: (entry: Entry) => Omit<Place, "commit">): Promise<number> {
    const { facts } = await app.registry.look();
    for (const entry of facts.entries.values()) {
      const { name, path } = placeOf(entry);
      const history = await app.kept.read.revisionsOf(entry.id);
      for (const { digest, commit } of history)
        await this.#expectBytes(app, digest, { name, path, commit: commit ?? "" });
      await this.#expectBytes(app, entry.current, { name, path, commit: entry.commit ?? "" });
      const from = readProvenance(app.keys, entry.id, (await app.kept.read.provenanceOf(entry.id)) ?? "{}");
      expectFrom(entry, history, from, { name, path });
      await this.#expectBytes(app, entry.current, { name, path, commit: from?.provenance.commit ?? "" });
    }
    return facts.entries.size;
  }

  async #expectBytes(app: App, digest: string, place: Place): Promise<void> {
    const key = `${digest} ${JSON.stringify(place)}`;
    if (this.#faithful.has(key)) return;
    this.expectBundle((await app.registry.open(digest)).bundle, place);
    this.#faithful.add(key);
  }
}

function expectEqual(kept: ReadonlyMap<string, string>, inGit: ReadonlyMap<string, string>): void {
  expect(kept).toEqual(inGit);
}

/** What is said of where an entry comes from is of its current revision, which is one of those it has had. */
function expectFrom(
  { current }: Entry,
  history: readonly { readonly digest: string }[],
  from: unknown,
  { name, path }: Omit<Place, "commit">,
): void {
  expect(history.map(({ digest }) => digest)).toContain(current);
  expect(from).toMatchObject({ digest: current, provenance: { repository: name, path } });
}

function listed(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\0").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf("\t") + 1), line.split(/[ \t]/)[2] ?? ""]));
}

/** As git computes it; by hand, since what computes it in the product is what is tested. */
function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A source for whose syncs `hurriedTimer` has a deadline of its own. */
export const boundSeconds = 77;

/**
 * The real timer, but pauses take no time, and the deadline of a sync of `boundSeconds` comes when the test says so:
 * all that stalls is ended by it, and nobody waits for it.
 */
export function hurriedTimer(): Timer & { expire(): void } {
  const deadlines = new Set<() => void>();
  return {
    after: () => new Promise((resolve) => void setImmediate(resolve)),
    every(milliseconds, act) {
      if (milliseconds !== boundSeconds * 1000) return realWorld.timer.every(milliseconds, act);
      deadlines.add(act);
      return { stop: () => void deadlines.delete(act) };
    },
    expire: () => deadlines.forEach((act) => act()),
  };
}

/** What reached the fake while something was done. */
export async function requestsOf(github: FakeGitHub, act: () => Promise<unknown>): Promise<number> {
  const before = github.requests.length;
  await act();
  return github.requests.length - before;
}
