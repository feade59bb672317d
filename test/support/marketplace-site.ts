import type { App } from "../../src/app/app.ts";
import type { FakeGitHub, FileContent } from "../../src/testing/github/script.ts";
import { type RegistryFolder, usableIn } from "./registry.ts";
import { added, remoteRegistry, skillFiles, synced } from "./remote.ts";
import { hastyTimer } from "./source-real-git.ts";
import type { SyncResult } from "../../src/registry/schema.ts";
import type { SourceAddition } from "../../src/features/sources/schema.ts";

export const indexPath = ".claude-plugin/marketplace.json";

export function indexText(plugins: readonly unknown[], top: object = {}): string {
  return JSON.stringify({ name: "market", owner: { name: "Acme" }, plugins, ...top });
}

/** A registry, and a marketplace that is not added yet. */
export async function site(files: Record<string, FileContent> = {}) {
  const registry = await remoteRegistry({ world: { timer: hastyTimer } });
  const market = await registry.github.repository("acme/market");
  if (Object.keys(files).length > 0) await market.push(files);
  const list = (plugins: readonly unknown[], top: object = {}) => market.push({ [indexPath]: indexText(plugins, top) });
  return { ...registry, market, list };
}

/** A repository with skills in `skills/`, and the commit they are at. */
export async function child(github: FakeGitHub, name: string, skills: readonly string[] = [name.split("/")[1] ?? ""]) {
  const repository = await github.repository(name);
  return { repository, sha: await repository.push(skillFiles(skills)) };
}

export const byGithub = (name: string, repo: string, rest: object = {}) => ({
  name,
  source: { source: "github", repo, ...rest },
});

/** What became of each plugin: its outcome and how many skills it has. */
export function outcomes({ children }: SyncResult): Record<string, string> {
  return Object.fromEntries((children ?? []).map(({ name, outcome, skills }) => [name, `${outcome} ${skills}`]));
}

/** The findings that speak of a plugin or place, by their codes. */
export function saidOf({ findings }: SyncResult, word: string): string[] {
  return findings.filter(({ message, at }) => `${message} ${at.file}`.includes(word)).map(({ code }) => code);
}

export function codes({ findings }: SyncResult): string[] {
  return findings.map(({ code }) => code);
}

/** The bytes that are kept of every file, as text. */
export function blobsIn(folder: RegistryFolder): string[] {
  const rows = folder.sql("SELECT bytes FROM blobs ORDER BY digest");
  return rows.map(({ bytes }) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : ""));
}

/** Everything that a defence must leave alone. */
export async function keptOf(app: App, folder: RegistryFolder) {
  const { read } = app.kept;
  const { pin, cursor, remote } = (await read.findSource("market")) ?? {};
  const entries = await read.listEntries({ source: "market", after: "", limit: 5000 });
  return { pin, cursor, remote, entries, usable: await usableIn(app), blobs: blobsIn(folder) };
}

export const present = async (app: App) =>
  (await app.kept.read.listEntries({ source: "market", after: "", limit: 5000 }))
    .filter((entry) => entry.present)
    .map(({ path }) => path);

export async function addedOrSynced(app: App, wishes: SourceAddition = {}): Promise<SyncResult> {
  const source = await app.kept.read.findSource("market");
  return source === undefined ? added(app, "acme/market", wishes) : synced(app, "market");
}
