import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import type { Answered } from "../../src/features/requests/answers.ts";
import { Live } from "../../src/features/sources/sync.ts";
import { there } from "../../src/app/standby/standing.ts";
import type { RouteView } from "../../src/features/routing/route-query.ts";
import { createSessions } from "../../src/features/people/sessions.ts";
import { AppError } from "../../src/core/error.ts";
import type { Timer } from "../../src/core/world.ts";
import { addKey } from "../../src/registry/accounts/api-keys.ts";
import { authenticate } from "../../src/registry/accounts/authenticate.ts";
import { type Person, type Role, roles } from "../../src/registry/accounts/roles.ts";
import type { Door, Served, Wire } from "../../src/server/door.ts";
import type { Api } from "../../src/server/http/api.ts";
import { type ServerOptions, startServer } from "../../src/server/server.ts";
import { accountsWith } from "../../src/testing/memory-accounts.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import { allow } from "./permits.ts";
import type { InjectionRecord } from "../../src/registry/schema.ts";

const realTimer: Timer = {
  after: (milliseconds) => sleep(milliseconds),
  every(milliseconds, act) {
    const timer = setInterval(act, milliseconds).unref();
    return { stop: () => clearInterval(timer) };
  },
};

interface Asked {
  readonly operation: string;
  readonly person: Person;
  readonly asked: { readonly request: string; readonly signal?: AbortSignal | undefined };
}

/** An app with real keys whose model says back who asked what. `gate` holds its answers. */
interface FakeServing extends Served, Api {
  readonly asked: Asked[];
  readonly keys: Readonly<Record<Role, string>>;
  readonly limitedKey: string;
  readonly accounts: ReturnType<typeof accountsWith>;
  /** Replaces what the model does. */
  answer: (asked: Asked) => Promise<Answered>;
  ready: boolean;
  looks: number;
}

const injection = { id: `inj_${"0".repeat(24)}`, generation: 7, included: 1, dropped: 2 };

export function answeredWith(text: string): Answered {
  return { text, finish: "stop", tokens: { input: 1, output: null }, injection, findings: [] };
}

const routedNothing: RouteView = {
  generation: 7,
  matches: [],
  abstained: true,
  ambiguous: false,
  tied: 0,
  findings: [],
  trace: {
    steps: [],
    stopped: "there are no skills",
    likelihood: 0,
    ranked: [],
    thresholds: { accept: 0.9, margin: 0.1, floor: 0.5 },
  },
};

async function createServing(clock: FixedClock): Promise<FakeServing> {
  const accounts = { ...accountsWith({ root: "admin" }), clock };
  const root: Person = { name: "root", role: "admin", configurations: null };
  const made = async (name: string, role: Role, configurations: string[] | null = null) =>
    (await addKey(accounts, allow(root), { name, role, configurations })).text;
  const keys = Object.fromEntries(await Promise.all(roles.map(async (role) => [role, await made(`a-${role}`, role)])));
  const serving: FakeServing = {
    asked: [],
    keys: keys as Record<Role, string>,
    limitedKey: await made("limited", "operator", ["mine"]),
    answer: async ({ operation, person }) => answeredWith(`${operation} for ${person.name}`),
    ready: true,
    looks: 0,
    identify: (key) => authenticate(accounts, key),
    sessions: createSessions(accounts, "store"),
    accounts,
    generation: async () => 7,
    async isReady() {
      serving.looks++;
      return { ready: serving.ready, checks: [{ name: "store", ok: serving.ready, about: "generation 7" }] };
    },
    standing: () => there,
    findInjection: async (person, id) => foundInjection(person, id),
    live: new Live(),
    shelf: { look: modelsAlone },
    as: modelsAlone,
    preview: modelsAlone,
    evaluate: modelsAlone,
    async route(person, { query, configuration = "mine" }) {
      await ask("route", person, { request: query }, configuration);
      return routedNothing;
    },
    answers: {
      complete: (person, asked) => ask("complete", person, asked, asked.configuration),
      chat: (person, asked) => ask("chat", person, asked, asked.configuration),
      translate: (person, asked) => ask("translate", person, asked, asked.configuration),
      runTask: (person, asked) => ask("task", person, asked, "mine"),
      async embed(person, asked) {
        await ask("embed", person, asked, asked.configuration);
        return { vectors: asked.texts.map((text) => [text.length, 0.5]), model: asked.model ?? "small" };
      },
    },
  };
  const ask = async (operation: string, person: Person, asked: Asked["asked"], configuration: string) => {
    demandConfiguration(person, configuration);
    serving.asked.push({ operation, person, asked });
    return serving.answer({ operation, person, asked });
  };
  return serving;
}

function modelsAlone(): never {
  throw new Error("this app has models alone");
}

function demandConfiguration({ configurations }: Person, wanted: string): void {
  if (configurations === null || configurations.includes(wanted)) return;
  throw new AppError("auth.forbidden", "this key is limited to other configurations");
}

function foundInjection(person: Person, id: string): InjectionRecord {
  if (id !== injection.id) throw new AppError("record.missing", `there is no injection "${id}"`);
  demandConfiguration(person, "mine");
  const digest = `sha256:${"0".repeat(64)}`;
  return {
    id,
    at: 1,
    request: "req_1",
    by: "ann",
    operation: "chat",
    configuration: "mine",
    task: null,
    model: "m",
    generation: 7,
    digest,
    bytes: 10,
    dropped: [],
    findings: [],
    included: [{ entry: "own:a", digest, name: "a", via: "configuration", place: "user", bytes: 10 }],
  };
}

export interface Started {
  readonly url: string;
  readonly port: number;
  readonly serving: FakeServing;
  readonly clock: FixedClock;
  readonly door: Door;
  /** The log so far. */
  log(): string;
  /** Its lines about requests. */
  requests(): Record<string, unknown>[];
  stop(): Promise<void>;
}

/** A real server on loopback whose clock stands still. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<Started> {
  const clock = fixedClock();
  const serving = await createServing(clock);
  const doors: Door[] = [];
  const lines: string[] = [];
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    names: [],
    policy: { reviewers: false },
    telemetry: null,
    serving,
    world: { clock, random: seededRandomness(), timer: realTimer },
    log: { write: (line) => void lines.push(line) },
    ...options,
    doors: [(door) => (doors.push(door), new Hono<Wire>()), ...(options.doors ?? [])],
  });
  const [door] = doors;
  if (door === undefined) throw new Error("no door was mounted");
  const parsed = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const requests = () => parsed().filter(({ msg }) => msg === "request");
  return { ...server, serving, clock, door, log: () => lines.join(""), requests };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: () => any;
}

interface Call {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

/** A request with any header, also those that `fetch` keeps for itself. */
export function call({ port }: { port: number }, path: string, asked: Call = {}): Promise<Reply> {
  const { json, key, signal } = asked;
  const body = json === undefined ? asked.body : JSON.stringify(json);
  const headers = {
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...asked.headers,
  };
  const method = asked.method ?? (body === undefined ? "GET" : "POST");
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, method, headers, ...(signal ? { signal } : {}) });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode = 0, headers: given } = response;
        resolve({ status: statusCode, headers: given, text, json: () => JSON.parse(text) });
      });
    });
    sent.end(body);
  });
}

/** Writes bytes as they are and gives back all that comes until the connection ends. */
export function callRaw({ port }: { port: number }, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.once("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? undefined : reject(error)));
    socket.once("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

/** Waits for something that comes about without a message, by looking again and again. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 2000 && !isSo(); look++) await sleep(5);
  if (!isSo()) throw new Error("it never came about");
}
