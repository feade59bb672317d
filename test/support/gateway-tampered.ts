import { join } from "node:path";
import { inject } from "vitest";
import { addApiKey } from "../../src/features/people/flow.ts";
import type { App } from "../../src/app/app.ts";
import { setDigest, sha256 } from "../../src/core/digest.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { Trust } from "../../src/sources/trust.ts";
import { readInjection } from "../../src/registry/usage/injection.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import type { RunningServer } from "../../src/server/server.ts";
import type { Upstream } from "../../src/testing/upstream/script.ts";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import type { Composition } from "../../src/compose/composition.ts";
import { attach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { type ApprovedOptions, composeApproved } from "./gateway-approved.ts";
import { inJson } from "./gateway-clients.ts";
import { upstreamModel, upstreamSecret } from "./gateway-home.ts";
import { ada, say, skillText } from "./registry.ts";
import type { EngineName } from "./store-at.ts";
import { type Row, StoreHome } from "./tampering.ts";
import { insert } from "./tampering-hand.ts";
import { allow } from "./permits.ts";
import { permitLlm } from "../../src/models/context.ts";
import type { InjectionRecord } from "../../src/registry/schema.ts";

/** In the order in which they are attached. */
export const inUse = ["writing", "drawing", "counting"] as const;
/** `retired` is attached and was switched off since; `spare` is approved and nowhere attached; nobody approved `fresh`. */
const more = ["retired", "spare", "fresh"] as const;
export type SkillName = (typeof inUse | typeof more)[number];

const file = { path: "references/more.md", text: "More about it.\n" };

/** What was written into the source, and so what people approved. */
function filesOf(name: SkillName): { path: string; bytes: Buffer }[] {
  const own = { path: "SKILL.md", bytes: Buffer.from(skillText(name, `How to be good at ${name}.\n`, header(name))) };
  return name === "drawing" ? [own, { path: file.path, bytes: Buffer.from(file.text) }] : [own];
}

function header(name: SkillName): string {
  return name === "drawing" ? "allowed-tools: Read\n" : "";
}

function listOf(name: SkillName) {
  return filesOf(name).map(({ path, bytes }) => ({ path, digest: sha256(bytes) }));
}

/** By which a skill's revision and its files are kept. */
export function digestsOf(name: SkillName): { revision: string; skill: string } {
  const [skill] = listOf(name);
  return { revision: setDigest(listOf(name)), skill: skill?.digest ?? "" };
}

/** These skills put together from the approved files, and from nothing that is in the store. */
export function approved(app: App, names: readonly SkillName[], options: ApprovedOptions = {}): Composition {
  const skills = names.map((name) => ({ entry: `skills:${name}`, files: filesOf(name) }));
  return composeApproved(app.keys, skills, options);
}

/** A store with three approved and attached skills, past whose defences a hand goes in again and again. */
export class TamperedStore {
  readonly home: StoreHome;
  readonly upstream: Upstream;
  /** Another service, which takes any key or none. The configuration file lets requests go there; no provider names it. */
  readonly stranger: Upstream;
  /** Of an admin. */
  readonly key: string;
  readonly #content: ReadonlyMap<string, readonly Row[]>;

  private constructor(made: Made, key: string, content: ReadonlyMap<string, readonly Row[]>) {
    [this.home, this.upstream, this.stranger] = [made.home, made.upstream, made.stranger];
    [this.key, this.#content] = [key, content];
  }

  static async create(engine: EngineName): Promise<TamperedStore> {
    const home = await StoreHome.create(engine, inject("postgres"));
    const [upstream, stranger] = [await startUpstream({ secret: upstreamSecret }), await startUpstream()];
    const pairs = [upstream, stranger].map(({ url }) => `    "${new URL(url).host}": "127.0.0.1/32"\n`);
    const config = `gateway:\n  requests-per-minute: 1000000\nnetwork:\n  private:\n${pairs.join("")}`;
    home.write(".config/skillward/config.yaml", config);
    for (const name of [...inUse, ...more])
      for (const { path, bytes } of filesOf(name)) home.write(`skills/${name}/${path}`, bytes.toString());
    const app = await home.open();
    const key = await prepare(app, home, upstream);
    await app.close();
    const content = new Map<string, readonly Row[]>();
    for (const table of tables) content.set(table, await home.sql(`SELECT * FROM ${table}`));
    return new TamperedStore({ home, upstream, stranger }, key, content);
  }

  /** By which a process of its own finds it. */
  get environment(): Record<string, string> {
    const { root, url } = this.home;
    const own = { HOME: root, SKILLWARD_DATA: join(root, "data"), USER: "tester" };
    return url === null ? own : { ...own, SKILLWARD_STORE: url };
  }

  /** A gateway over it, as a process has it that opens it now. `change` is what the test makes of the app first. */
  async serve(change: (app: App) => App = (app) => app): Promise<Gateway> {
    const app = await this.home.open();
    const server = await serveApp(change(app), { host: "127.0.0.1", port: 0, log: { write: () => {} } });
    return new Gateway(app, server, this.upstream, this.key);
  }

  /** A new generation, in which every entry is read again: what makes a running process look. */
  async raiseGeneration(): Promise<void> {
    await this.home.sql("UPDATE store SET generation = generation + 1");
    await this.home.sql("UPDATE entries SET generation = (SELECT generation FROM store)");
  }

  /** Everything as honest people had left it. */
  async restore(): Promise<void> {
    for (const [table, rows] of this.#content) {
      if (textOf(await this.home.sql(`SELECT * FROM ${table}`)) === textOf(rows)) continue;
      await this.home.sql(`DELETE FROM ${table}`);
      for (const row of rows) await insert(this.home, table, row);
    }
    await this.raiseGeneration();
  }

  async remove(): Promise<void> {
    await this.upstream.close();
    await this.stranger.close();
    await this.home.remove();
  }
}

type Made = Pick<TamperedStore, "home" | "upstream" | "stranger">;

/** What attacks change. */
const tables = ["sources", "entries", "revisions", "blobs", "ledger", "llm_records", "attachments"];

function textOf(rows: readonly Row[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join("\n");
}

async function prepare(app: App, home: StoreHome, upstream: Upstream): Promise<string> {
  await addFolder(app.sync, allow(ada), `${home.root}/skills`, { id: "skills", trust: "community" });
  await runSync(app.sync, allow(ada), "skills");
  await addProvider(
    permitLlm(app, "administer"),
    "openai",
    { protocol: "openai", origin: upstream.url, models: ["*"] },
    upstreamSecret,
  );
  await addConfiguration(permitLlm(app, "operate"), "house", { provider: "openai", model: upstreamModel });
  for (const name of [...inUse, "retired", "spare"]) await say(app, ada, "approve", `skills:${name}`);
  for (const name of [...inUse, "retired"]) await attach(permitLlm(app, "operate"), "config:house", `skills:${name}`);
  await say(app, ada, "disable", "skills:retired");
  return (await addApiKey(app, { name: "admin", role: "admin" })).text;
}

export function bodyOf(question: string, front = ""): string {
  const system = '{"role":"system","content":"Be brief."}';
  return `{"model":"${upstreamModel}", "messages":[${system},{"role":"user","content":"${front}${question}"}]}`;
}

const anyQuestion = "Which one?";

/** What a client saw and what the upstream received, of one request. */
export interface Passed {
  readonly status: number;
  readonly text: string;
  /** The one that its header names. */
  readonly generation: number;
  /** Undefined: the upstream was not asked. */
  readonly received: string | undefined;
  readonly record: InjectionRecord | undefined;
}

export class Gateway {
  readonly app: App;
  readonly #server: RunningServer;
  readonly #upstream: Upstream;
  readonly #key: string;

  constructor(app: App, server: RunningServer, upstream: Upstream, key: string) {
    [this.app, this.#server, this.#upstream, this.#key] = [app, server, upstream, key];
  }

  /** Of several at once each has a question of its own. */
  async ask(question = anyQuestion): Promise<Passed> {
    const before = this.#upstream.requests.length;
    const body = bodyOf(question);
    const answer = await this.#fetch("/c/house/v1/chat/completions", { method: "POST", body });
    const text = await answer.text();
    const received = this.#upstream.requests.slice(before).find((request) => request.text.includes(question));
    const generation = Number(answer.headers.get("x-skillward-generation"));
    const id = answer.headers.get("x-skillward-injection");
    const found = id === null ? undefined : await this.#fetch(`/api/injections/${id}`);
    const record = readInjection(await found?.json());
    return { status: answer.status, text, generation, received: received?.text, record };
  }

  /** The bytes that must arrive with exactly these skills in them. */
  expected(names: readonly SkillName[], trust: Trust = "community", question = anyQuestion): string {
    const { block } = approved(this.app, names, { trust });
    return bodyOf(question, block === "" ? "" : inJson(`${block}\n\n`));
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.app.close();
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#key}`, "content-type": "application/json" };
    return fetch(this.#server.url + path, { ...init, headers });
  }
}

/** What was said about a skill. */
export function saidOf(findings: readonly Finding[], name: SkillName): string {
  return findings
    .filter(({ at }) => at.file === `entry:skills:${name}`)
    .map(({ code, message }) => `${code} ${message}`)
    .join("\n");
}
