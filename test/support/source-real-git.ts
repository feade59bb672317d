import { execFileSync } from "node:child_process";
import type { App } from "../../src/app/app.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { Timer } from "../../src/core/world.ts";
import { readProvenance } from "../../src/registry/entry.ts";
import { listedFiles } from "../../src/registry/revision.ts";
import type { Provenance } from "../../src/sources/reading.ts";
import type { Source } from "../../src/sources/schema.ts";
import type { FakeRepository, FileContent } from "../../src/testing/github/script.ts";
import { realWorld, type RegistryFolder, skillText } from "./registry.ts";
import { type RemoteOptions, remoteRegistry } from "./remote.ts";

/** Pauses between tries take no time; whatever has a deadline keeps it. */
export const hastyTimer: Timer = { ...realWorld.timer, after: () => Promise.resolve() };

/** The real git, without anybody's configuration. */
export function git(repository: FakeRepository, args: readonly string[], input: string | Uint8Array = ""): Buffer {
  const env = {
    PATH: process.env["PATH"],
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_DIR: repository.folder,
  };
  return execFileSync("git", args, { env, input, maxBuffer: 2 ** 28 });
}

export interface GitFile {
  readonly mode: string;
  readonly bytes: Buffer;
}

/** Every blob of a commit as git itself has it, by path. Names are read as bytes: those that are no UTF-8 stay apart. */
export function filesInGit(repository: FakeRepository, commit: string): Map<string, GitFile> {
  const lines = git(repository, ["ls-tree", "-r", "-z", commit]).toString("latin1").split("\0").filter(Boolean);
  const blobs = lines.flatMap((line) => {
    const [, mode = "", kind, id = "", path = ""] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line) ?? [];
    return kind === "blob" ? [{ mode, id, path: Buffer.from(path, "latin1").toString() }] : [];
  });
  const batch = git(repository, ["cat-file", "--batch"], blobs.map(({ id }) => `${id}\n`).join(""));
  const files = new Map<string, GitFile>();
  let at = 0;
  for (const { mode, path } of blobs) {
    const start = batch.indexOf(10, at) + 1;
    const size = Number(batch.toString("latin1", at, start).trim().split(" ")[2]);
    files.set(path, { mode, bytes: batch.subarray(start, start + size) });
    at = start + size + 1;
  }
  return files;
}

/** The bytes that are kept of the current revision of an entry, by path inside the skill. */
export async function storedFiles({ kept }: App, entry: string): Promise<Map<string, Buffer>> {
  const current = (await kept.read.findEntry(entry))?.current ?? "";
  const [row] = await kept.read.findRevisions([current]);
  if (row === undefined) throw new Error(`nothing is kept of ${entry}`);
  const files = listedFiles(row);
  const blobs = await kept.read.findBlobs(files.map(({ digest }) => digest));
  return new Map(files.map(({ path, digest }) => [path, Buffer.from(blobs.get(digest) ?? "missing")]));
}

export async function provenanceIn({ kept, sync: { keys } }: App, entry: string): Promise<Provenance | undefined> {
  const record = await kept.read.provenanceOf(entry);
  return record === undefined ? undefined : readProvenance(keys, entry, record)?.provenance;
}

/** Every kept file of a source that is not what git has where its provenance says; there must never be one. */
export async function wrongBytes(app: App, source: string, repository: FakeRepository): Promise<string[]> {
  const commits = new Map<string, Map<string, GitFile>>();
  const wrong: string[] = [];
  for (const { id } of await app.kept.read.listEntries({ source, after: "", limit: 5000 })) {
    const from = await provenanceIn(app, id);
    if (from === undefined) throw new Error(`nobody knows where ${id} comes from`);
    const files = commits.get(from.commit) ?? filesInGit(repository, from.commit);
    commits.set(from.commit, files);
    for (const [path, bytes] of await storedFiles(app, id)) {
      const real = files.get(from.path === "" ? path : `${from.path}/${path}`);
      if (real === undefined || !real.bytes.equals(bytes)) wrong.push(`${id} ${path}`);
    }
  }
  return wrong;
}

/** All that counts of a store; how the last sync ended, and its lock, do not. */
export function keptIn(folder: RegistryFolder): Record<string, unknown> {
  const sources = folder.sql("SELECT id, record FROM sources ORDER BY id").map(({ id, record }) => {
    const { status: _, error: __, syncedAt: ___, ...rest } = JSON.parse(String(record));
    return [id, rest];
  });
  const rows = (from: string) => folder.sql(`SELECT * FROM ${from}`);
  return {
    sources,
    entries: rows("entries ORDER BY id"),
    provenance: rows("provenance ORDER BY entry"),
    revisions: folder.sql("SELECT digest FROM revisions ORDER BY digest"),
    blobs: folder.sql("SELECT digest FROM blobs ORDER BY digest"),
    history: rows("entry_revisions ORDER BY entry, digest"),
    ledger: rows("ledger ORDER BY seq"),
    audit: folder.sql("SELECT seq, hash FROM audit ORDER BY seq"),
  };
}

/** What was noticed when an entry was last loaded: code and level, in their order. */
export async function loadingOf(app: App, entry: string): Promise<string[]> {
  const { facts } = await app.registry.look();
  return (facts.loading.get(entry) ?? []).map(({ code, level }) => `${code} ${level}`);
}

export function codesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ code }) => code);
}

export async function sourceIn({ kept }: App, id: string): Promise<Source> {
  const source = await kept.read.findSource(id);
  if (source === undefined) throw new Error(`no source ${id}`);
  return source;
}

/** A registry, and the repository `acme/skills` with these files, which is not added yet. */
export async function siteOf(files: Readonly<Record<string, FileContent>>, options: RemoteOptions = {}) {
  const registry = await remoteRegistry({ ...options, world: { timer: hastyTimer, ...options.world } });
  const repository = await registry.github.repository("acme/skills");
  const first = await repository.push(files);
  return { ...registry, repository, first };
}

export type RepositorySite = Awaited<ReturnType<typeof siteOf>>;

export function pushPdf(repository: FakeRepository, body: string, options?: Parameters<FakeRepository["push"]>[1]) {
  return repository.push({ "skills/pdf/SKILL.md": skillText("pdf", body) }, options);
}
