import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";
import { type App, type AppOptions, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { inspectApp } from "../../src/app/inspect.ts";
import { verifyStore } from "../../src/features/audit/verification.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { AppError } from "../../src/core/error.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { EntryId } from "../../src/core/ids.ts";
import type { UsableEntry } from "../../src/registry/snapshot.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { createDatabase, dropDatabase } from "./postgres.mjs";
import type { EngineName } from "./store-at.ts";

export type Cell = string | number | null | Uint8Array;
export type Row = Record<string, Cell>;

const clock = fixedClock();

/**
 * A store with everything that belongs to it: the folder of its user, with key file, configuration and checkpoints, and
 * the database, in that folder or on a server. Whole copies of it can be made while nobody has it open.
 */
export class StoreHome {
  readonly engine: EngineName;
  readonly root: string;
  /** The database on the server; null: the file below the folder. */
  readonly url: string | null;
  /** The one of `sql`: a server starts a process for each connection. */
  #client: Promise<pg.Client> | undefined;

  private constructor(engine: EngineName, root: string, url: string | null) {
    this.engine = engine;
    this.root = root;
    this.url = url;
  }

  static async create(engine: EngineName, server: string): Promise<StoreHome> {
    return new StoreHome(engine, newFolder(), engine === "PostgreSQL" ? await createDatabase(server) : null);
  }

  async copy(): Promise<StoreHome> {
    await this.#disconnect();
    const root = newFolder();
    cpSync(this.root, root, { recursive: true });
    return new StoreHome(this.engine, root, this.url === null ? null : await copyDatabase(this.url));
  }

  /** Another store of the same user: it has the same key file. */
  async createNeighbour(server: string): Promise<StoreHome> {
    const other = await StoreHome.create(this.engine, server);
    cpSync(join(this.root, ".config"), join(other.root, ".config"), { recursive: true });
    return other;
  }

  /** As a new process would. */
  open(options: AppOptions = {}): Promise<App> {
    return openApp({ ...createWorld(), clock }, this.#environment(), options);
  }

  /** All that `skillward audit verify --all` finds, also in a store that is refused for use. */
  async verify(): Promise<readonly Finding[]> {
    const opened = await inspectApp({ ...createWorld(), clock }, this.#environment());
    try {
      return (await verifyStore(opened, { all: true })).parts.flatMap(({ findings }) => findings);
    } finally {
      await opened.close();
    }
  }

  #environment() {
    const store = this.url === null ? {} : { SKILLWARD_STORE: this.url };
    return parseEnvironment({ HOME: this.root, SKILLWARD_DATA: join(this.root, "data"), USER: "tester", ...store });
  }

  get database(): string {
    return join(this.root, "data", "skillward.db");
  }

  /** The one file in which the checkpoint is. */
  get checkpoint(): string {
    const folder = join(this.root, "data", "checkpoints");
    return join(folder, readdirSync(folder).find((name) => name.endsWith(".json")) ?? "none");
  }

  /** A hand in the database, past every defence. Parameters are `?`, on both engines. */
  async sql(text: string, ...parameters: readonly Cell[]): Promise<Row[]> {
    if (this.url === null) return askSqlite(this.database, text, parameters);
    this.#client ??= connect(this.url);
    return askPostgres(await this.#client, text, parameters);
  }

  async #disconnect(): Promise<void> {
    const client = await this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** The database as it is in another copy; the files of this one stay. */
  async rollBackTo(other: StoreHome): Promise<void> {
    if (this.url !== null && other.url !== null) return refill(this.url, other.url);
    for (const end of ["-wal", "-shm"]) rmSync(this.database + end, { force: true });
    cpSync(other.database, this.database);
  }

  /** All of another copy. */
  async resetTo(other: StoreHome): Promise<void> {
    for (const folder of [".config", "data"]) {
      rmSync(join(this.root, folder), { recursive: true });
      cpSync(join(other.root, folder), join(this.root, folder), { recursive: true });
    }
    await this.rollBackTo(other);
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  async remove(): Promise<void> {
    await this.#disconnect();
    if (this.url !== null) await dropDatabase(this.url);
    rmSync(this.root, { recursive: true, force: true });
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "skillward-tampering-"));
}

function askSqlite(file: string, text: string, parameters: readonly Cell[]): Row[] {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(text).all(...parameters) as Row[];
  } finally {
    database.close();
  }
}

async function askPostgres(client: pg.Client, text: string, parameters: readonly Cell[]): Promise<Row[]> {
  let number = 0;
  const numbered = text.replaceAll("?", () => `$${++number}`);
  return (await client.query(numbered, [...parameters])).rows;
}

/** Nobody may be connected to it meanwhile. */
async function copyDatabase(url: string): Promise<string> {
  const original = new URL(url).pathname.slice(1);
  const copy = `copy_${randomBytes(8).toString("hex")}`;
  const at = (name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await withClient(at("postgres"), (client) => client.query(`CREATE DATABASE ${copy} TEMPLATE ${original}`));
  return at(copy);
}

/** Empties all tables and fills them from those of another database: much quicker than making a new one. */
async function refill(url: string, from: string): Promise<void> {
  const content = await contentOf(from);
  await withClient(url, async (client) => {
    await client.query(`TRUNCATE ${content.map(([table]) => table).join(", ")}`);
    for (const [table, rows] of content)
      await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [rows]);
  });
}

type Content = readonly (readonly [table: string, rows: string])[];
const contents = new Map<string, Promise<Content>>();

/** Of a database that does not change any more. */
function contentOf(url: string): Promise<Content> {
  const known = contents.get(url) ?? withClient(url, readAll);
  contents.set(url, known);
  return known;
}

async function readAll(client: pg.Client): Promise<Content> {
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const content: [string, string][] = [];
  for (const { tablename } of rows) {
    const all = await client.query(`SELECT coalesce(jsonb_agg(t), '[]')::text AS rows FROM ${tablename} t`);
    content.push([tablename, all.rows[0].rows]);
  }
  return content;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await client.connect();
  return client;
}

async function withClient<Result>(url: string, act: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url);
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** What an entry that may be used is, to the byte, by whatever word. */
export interface Used extends Omit<UsableEntry, "approvals"> {
  readonly files: readonly (readonly [path: string, text: string])[];
}

/** What a new process makes of a store. */
export interface Outcome {
  /** Why it is not opened, or the registry cannot be looked at. */
  readonly refusal: AppError | undefined;
  readonly used: ReadonlyMap<EntryId, Used>;
  /** Why entries that seem usable were refused at the moment of use. */
  readonly refused: readonly string[];
  readonly states: ReadonlyMap<EntryId, string>;
  readonly findings: readonly Finding[];
}

export async function outcomeOf(home: StoreHome, options: AppOptions = {}): Promise<Outcome> {
  let app: App | undefined;
  try {
    app = await home.open(options);
    return await lookAt(app);
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
    return { refusal, used: new Map(), refused: [], states: new Map(), findings: [] };
  } finally {
    await app?.close();
  }
}

export async function lookAt({ registry }: App): Promise<Outcome> {
  const { snapshot } = await registry.look();
  const used = new Map<EntryId, Used>();
  const refused: string[] = [];
  for (const [id, { approvals: _, ...entry }] of snapshot.usable) {
    try {
      const { files } = await registry.use(snapshot, id);
      used.set(id, { ...entry, files: files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString("latin1")]) });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "entry.unusable") throw error;
      refused.push(error.message);
    }
  }
  const states = new Map([...snapshot.standings].map(([id, { state }]) => [id, state]));
  return { refusal: undefined, used, refused, states, findings: snapshot.findings };
}
