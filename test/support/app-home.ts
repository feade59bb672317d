import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { type Inspection, inspectApp } from "../../src/app/inspect.ts";
import { createWorld, type World } from "../../src/app/world/world.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { createDatabase } from "./postgres.mjs";
import { skillText } from "./registry.ts";
import type { EngineName } from "./store-at.ts";
import { DatabaseSync } from "@photostructure/sqlite";

/** Everything one user has of Skillward, on either engine: configuration, keys, data folder, store; and a clock that stands. */
export class AppHome {
  readonly root = mkdtempSync(join(tmpdir(), "skillward-app-"));
  readonly clock: FixedClock = fixedClock();
  readonly #store: string;
  readonly #opened: { close(): Promise<void> }[] = [];

  constructor(store?: string) {
    this.#store = store ?? this.path("data/skillward.db");
  }

  get environment() {
    const variables = { HOME: this.root, SKILLWARD_DATA: this.path("data"), SKILLWARD_STORE: this.#store };
    return parseEnvironment({ ...variables, USER: "tester" });
  }

  world(parts: Partial<World> = {}): World {
    return { ...createWorld(), clock: this.clock, ...parts };
  }

  async open(parts: Partial<World> = {}, options: { acceptRollback?: boolean } = {}): Promise<App> {
    return this.#closedOnce(await openApp(this.world(parts), this.environment, options));
  }

  async inspect(): Promise<Inspection> {
    return this.#closedOnce(await inspectApp(this.world(), this.environment));
  }

  /** With its test at the latest. */
  #closedOnce<Opened extends { close(): Promise<void> }>(opened: Opened): Opened {
    let isClosed = false;
    const close = async () => {
      if (!isClosed) await opened.close();
      isClosed = true;
    };
    this.#opened.push({ close });
    return { ...opened, close };
  }

  /** Past every defence: what a hand in the database does. */
  async sql(text: string): Promise<Record<string, unknown>[]> {
    if (!this.#store.startsWith("postgres")) return onSqlite(this.#store, text);
    return onPostgres(this.#store, text);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  get keyFile(): string {
    return this.path(".config/skillward/keys.json");
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  writeSkill(name: string, body = "Do it.\n"): void {
    this.write(`skills/${name}/SKILL.md`, skillText(name, body));
  }

  /** The same once more, at the same time. Everything that was opened is closed first. */
  async copy(): Promise<AppHome> {
    await this.close();
    const other = new AppHome(this.#store.startsWith("postgres") ? await copyDatabase(this.#store) : undefined);
    onTestFinished(() => other.remove());
    cpSync(this.root, other.root, { recursive: true });
    other.clock.advance(this.clock.now() - other.clock.now());
    return other;
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.splice(0)) await opened.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** One that goes with the test. */
export async function appHome(engine: EngineName = "SQLite"): Promise<AppHome> {
  const home = await newHome(engine);
  onTestFinished(() => home.remove());
  return home;
}

/** One that its maker removes. */
export async function newHome(engine: EngineName): Promise<AppHome> {
  return new AppHome(engine === "PostgreSQL" ? await createDatabase(inject("postgres")) : undefined);
}

function onSqlite(path: string, text: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    return database.prepare(text).all();
  } finally {
    database.close();
  }
}

async function onPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function copyDatabase(url: string): Promise<string> {
  const from = decodeURIComponent(new URL(url).pathname.slice(1));
  const name = `${from}_${Math.random().toString(16).slice(2, 10)}`;
  await onPostgres(inject("postgres"), `create database ${name} template ${from}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
