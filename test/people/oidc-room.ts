import { isDeepStrictEqual } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import type { App } from "../../src/app/app.ts";
import type { World } from "../../src/app/world/world.ts";
import { addUser } from "../../src/registry/accounts/users.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import type { RunningServer } from "../../src/server/server.ts";
import { startOidc } from "../../src/testing/oidc/oidc.ts";
import type { FakeOidc, OidcOptions } from "../../src/testing/oidc/script.ts";
import { type AppHome, newHome } from "../support/app-home.ts";
import { call, type Reply } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

/** Where people reach the server: a proxy with TLS stands before it. */
export const publicUrl = "https://skills.example.org";

export interface OidcWishes {
  readonly issuer?: Omit<OidcOptions, "clock">;
  /** `SKILLWARD_OIDC_SECRET`. */
  readonly secret?: string;
  /** More lines of `sign-in.oidc`. */
  readonly more?: string;
  readonly world?: Partial<World>;
}

/** A server over a real store, and a service at which `ada` of our users is signed in. */
export interface OidcRoom {
  readonly home: AppHome;
  readonly app: App;
  readonly oidc: FakeOidc;
  readonly port: number;
  browser(port?: number): Browser;
  /** One more node on the same store. */
  another(): Promise<number>;
  /** Every row of every table. */
  content(): Record<string, unknown[]>;
  /** Why nobody was signed in, by the log: one word for each time. */
  reasons(): unknown[];
  logged(): string;
  /** As after the start: nothing that was asked of the service is known any more, and nothing is logged. */
  reset(): void;
  close(): Promise<void>;
}

/** One that goes with the test. */
export async function oidcRoom(wishes: OidcWishes = {}): Promise<OidcRoom> {
  const room = await openRoom(wishes);
  onTestFinished(() => room.close());
  return room;
}

/** One for all tests of a file, which is as new for each of them. */
export function sharedOidcRoom(wishes: OidcWishes = {}): () => OidcRoom {
  let room: OidcRoom | undefined;
  beforeAll(async () => {
    room = await openRoom(wishes);
  });
  beforeEach(() => room?.reset());
  afterAll(() => room?.close());
  return () => {
    if (room === undefined) throw new Error("the room is not open");
    return room;
  };
}

async function openRoom({ issuer = {}, secret, more = "", world = {} }: OidcWishes): Promise<OidcRoom> {
  const home = await newHome("SQLite");
  const oidc = await startOidc({ clock: home.clock, ...issuer });
  home.write(".config/skillward/config.yaml", configuration(oidc, issuer.clientId ?? "skillward", more));
  const opened = await home.open(world);
  const app = { ...opened, secrets: { ...opened.secrets, oidc: secret ?? null } };
  await addUser(app.accounts, allow(ada), { name: "ada", role: "admin", password: "a password of nobody" });
  const lines: string[] = [];
  const servers: RunningServer[] = [];
  const start = async () => {
    const server = await serveApp(app, { host: "127.0.0.1", port: 0, log: { write: (line) => void lines.push(line) } });
    servers.push(server);
    return server.port;
  };
  const port = await start();
  const reset = () => {
    oidc.misbehave();
    oidc.signedIn({ preferred_username: "ada", email: "claimed@example.org" });
    home.clock.advance(600_000);
    lines.length = 0;
  };
  reset();
  return {
    home,
    app,
    oidc,
    port,
    browser: (at = port) => new Browser(at),
    another: start,
    content: () => contentOf(home),
    reasons: () => lines.flatMap((line) => JSON.parse(line).reason ?? []),
    logged: () => lines.join(""),
    reset,
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await oidc.close();
      await home.remove();
    },
  };
}

function configuration({ issuer }: FakeOidc, clientId: string, more: string): string {
  return `network:
  private:
    "${new URL(issuer).host}": "127.0.0.1/32"
serve:
  hosts: [skills.example.org]
  public-url: ${publicUrl}
sign-in:
  oidc:
    issuer: ${issuer}
    client-id: ${clientId}
${more}`;
}

function contentOf(home: AppHome): Record<string, unknown[]> {
  const database = new DatabaseSync(home.path("data/skillward.db"));
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const names = tables.map(({ name }) => String(name));
    return Object.fromEntries(names.map((name) => [name, database.prepare(`SELECT * FROM ${name}`).all()]));
  } finally {
    database.close();
  }
}

/** As much of a browser as signing in takes: it keeps cookies and goes where it is sent, one step at a time. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Asks our server, as its proxy would. */
  async visit(path: string, host = "skills.example.org"): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await call({ port: this.#port }, path, { headers: { host, ...(cookie === "" ? {} : { cookie }) } });
    for (const each of reply.headers["set-cookie"] ?? []) this.#keep(each);
    return reply;
  }

  #keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/; Max-Age=0/.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Begins here and signs in there; gives back the path with which the service sends it home. */
  async signInThere(): Promise<string> {
    const { headers } = await this.visit("/auth/oidc");
    const there = new URL(headers.location ?? "");
    const { headers: answered } = await call({ port: Number(there.port) }, there.pathname + there.search);
    const back = new URL(answered.location ?? "");
    if (back.origin !== publicUrl) throw new Error(`sent to ${back.origin}`);
    return back.pathname + back.search;
  }

  /** The whole way: where it ends. */
  async signIn(): Promise<string> {
    return (await this.visit(await this.signInThere())).headers.location ?? "";
  }

  get session(): string | undefined {
    return this.cookies.get("__Host-skillward");
  }
}

/** What came of it: where the browser ended, whether it is signed in, which tables are others now, and what the log says. */
interface Outcome {
  readonly location: string;
  readonly session: string | undefined;
  readonly changed: readonly string[];
  readonly reasons: readonly unknown[];
}

export async function outcome(room: OidcRoom, act: (browser: Browser) => Promise<string>): Promise<Outcome> {
  const before = room.content();
  const browser = room.browser();
  const location = await act(browser);
  const after = room.content();
  const changed = Object.keys(after).filter((table) => !isDeepStrictEqual(after[table], before[table]));
  return { location, session: browser.session, changed, reasons: room.reasons() };
}

/** Nothing: the page that says so, no cookie that signs anybody in, not one row. */
export function refused(reason: string): Outcome {
  return { location: "/#/sign-in/failed", session: undefined, changed: [], reasons: [reason] };
}
