import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { onTestFinished } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld, type World } from "../../src/app/world/world.ts";
import { blocks } from "../../src/core/finding.ts";
import type { Person, Role } from "../../src/registry/accounts/roles.ts";
import { type Asked, decide } from "../../src/registry/decide.ts";
import type { State } from "../../src/registry/state.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { requireRight } from "../../src/registry/accounts/permit.ts";
import { allow } from "./permits.ts";
import type { Decision } from "../../src/registry/schema.ts";

export function person(name: string, role: Role = "admin"): Person {
  return { name, role, configurations: null };
}

export const ada = person("ada");
export const bob = person("bob");

/** The disk, the clock and the rest as they are; tests replace what they want to stop or break. */
export const realWorld = createWorld();

export interface RegistryOptions {
  /** The configuration file's text. */
  readonly config?: string;
  /** Parts of the world that are not the real ones. */
  readonly world?: Partial<World>;
}

/** A registry in a folder of its own: real disk, real SQLite, the flows wired as the program wires them, a clock that stands. */
export class RegistryFolder {
  readonly root = mkdtempSync(join(tmpdir(), "skillward-registry-"));
  readonly skills = join(this.root, "skills");
  readonly clock: FixedClock = fixedClock();
  readonly #options: RegistryOptions;
  readonly #opened = new Set<App>();

  constructor(options: RegistryOptions = {}) {
    this.#options = options;
    mkdirSync(this.skills);
    if (options.config !== undefined) this.write(".config/skillward/config.yaml", options.config);
  }

  /** Opens it as one more process would. */
  async open({ acceptRollback = false, world = {} }: { acceptRollback?: boolean; world?: Partial<World> } = {}) {
    const environment = parseEnvironment({ HOME: this.root, SKILLWARD_DATA: join(this.root, "data"), USER: "tester" });
    const all = { ...realWorld, clock: this.clock, ...this.#options.world, ...world };
    const app = await openApp(all, environment, { acceptRollback });
    this.#opened.add(app);
    return app;
  }

  /** Ends one of its processes. */
  async close(app: App): Promise<void> {
    this.#opened.delete(app);
    await app.close();
  }

  /** A file below the folder. */
  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  writeSkill(path: string, body = "Do it.\n", header = ""): void {
    const name = path.slice(path.lastIndexOf("/") + 1) || "skills";
    this.write(join("skills", path, "SKILL.md"), skillText(name, body, header));
  }

  removeSkill(path: string): void {
    rmSync(join(this.skills, path), { recursive: true });
  }

  get database(): string {
    return join(this.root, "data", "skillward.db");
  }

  get checkpoints(): string {
    return join(this.root, "data", "checkpoints");
  }

  /** What a hand in the database does, past every defence. */
  sql(text: string, ...parameters: (string | number | null | Uint8Array)[]): Record<string, unknown>[] {
    const database = new DatabaseSync(this.database);
    try {
      return database.prepare(text).all(...parameters);
    } finally {
      database.close();
    }
  }

  /** The same once more, to be changed by hand. Nobody may have it open. */
  copy(): RegistryFolder {
    const copy = new RegistryFolder(this.#options);
    cpSync(this.root, copy.root, { recursive: true });
    return copy;
  }

  async remove(): Promise<void> {
    for (const app of this.#opened) await this.close(app);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** One that goes with the test. */
export function registryFolder(options: RegistryOptions = {}): RegistryFolder {
  const folder = new RegistryFolder(options);
  onTestFinished(() => folder.remove());
  return folder;
}

export function skillText(name: string, body = "Do it.\n", header = ""): string {
  return `---\nname: ${name}\ndescription: What ${name} does and when to use it.\n${header}---\n${body}`;
}

/** A registry with the folder added as the source `skills` and synced once. */
export async function syncedRegistry(
  skills: readonly string[] = ["pdf"],
  options: RegistryOptions & Parameters<typeof addFolder>[3] = {},
): Promise<{ folder: RegistryFolder; app: App }> {
  const { config, world, ...settings } = options;
  const folder = registryFolder({ ...(config !== undefined && { config }), ...(world !== undefined && { world }) });
  for (const skill of skills) folder.writeSkill(skill);
  const app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills", ...settings });
  await runSync(app.sync, allow(ada), "skills");
  return { folder, app };
}

export async function currentOf(app: App, entry: string): Promise<string> {
  const found = await app.kept.read.findEntry(entry);
  if (found === undefined) throw new Error(`no entry ${entry}`);
  return found.current;
}

/** Says one word on what is current now. */
export async function say(
  app: App,
  who: Person,
  word: Asked["word"],
  entry: string,
  more: Partial<Asked> = {},
): Promise<Decision> {
  const digest = more.digest ?? (await currentOf(app, entry));
  const [decision] = await decide(app.review, requireRight({ ...app, person: who }, "review"), [
    { word, entry, note: "looked at it", ...more, digest },
  ]);
  if (decision === undefined) throw new Error("nothing was decided");
  return decision;
}

/** Approves what is current, whatever the scanner blocks: for tests of the defences that come after it. */
export async function approveAnyway(app: App, who: Person, entry: string): Promise<Decision> {
  const current = await currentOf(app, entry);
  const { facts } = await app.registry.look();
  const findings = facts.summaries.get(current)?.findings ?? [];
  const overrides = [...new Set(findings.filter(blocks).map(({ code }) => code))];
  if (overrides.length > 0) await say(app, who, "override", entry, { overrides });
  return say(app, who, "approve", entry);
}

/** The states of all entries, by id. */
export async function statesIn(app: App): Promise<Record<string, State>> {
  const { snapshot } = await app.registry.look();
  return Object.fromEntries([...snapshot.standings].map(([id, { state }]) => [id, state]));
}

export async function stateIn(app: App, entry: string): Promise<State | undefined> {
  return (await statesIn(app))[entry];
}

export async function usableIn(app: App): Promise<string[]> {
  return [...(await app.registry.look()).snapshot.usable.keys()];
}
