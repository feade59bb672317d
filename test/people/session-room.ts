import { scryptSync } from "node:crypto";
import type { App } from "../../src/app/app.ts";
import { Serving } from "../../src/features/serving.ts";
import type { Role } from "../../src/registry/accounts/roles.ts";
import { openSession } from "../../src/registry/accounts/sessions.ts";
import { insertUser } from "../../src/registry/accounts/users.ts";
import { type ServerOptions, startServer } from "../../src/server/server.ts";
import { sessionCookie, tokenOf } from "../../src/server/guard/session-cookie.ts";
import { Browser } from "./http-browser.ts";
import { RegistryFolder } from "../support/registry.ts";

/** Of everybody in the room. */
export const password = "correct horse battery staple";

/** The least strength that a row may have: a hash takes a sixth of the time of a new one. */
export const passwordHash = hashWeakly(password);

function hashWeakly(text: string): string {
  const salt = Buffer.alloc(16, "room");
  const hash = scryptSync(text, salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  return ["scrypt", 14, 8, 1, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Adds a user with that password, or makes them what they were, without hashing it anew for each. */
export async function putUser(accounts: App["accounts"], name: string, role: Role) {
  const user = { name, role, password: passwordHash };
  await accounts.kept.transaction(async (port) => {
    await port.deleteUser(name);
    await insertUser(accounts, port, { name: "machine:room" }, user);
  });
}

export interface SessionRoom {
  readonly port: number;
  readonly folder: RegistryFolder;
  readonly app: App;
  /** One at which nobody is signed in; under another origin it comes through a proxy. */
  browser(origin?: string): Browser;
  /** One at which somebody is, without the slow work of a password. */
  signedIn(name: string, origin?: string): Promise<Browser>;
  /** All rows of all tables. */
  everything(): Record<string, unknown[]>;
  /** The latest records, the newest last, without what differs from run to run. */
  audited(count: number): { act: string; by: string; subject: string; details: string }[];
  logged(): string;
  close(): Promise<void>;
}

/** One that holds this secret. */
export function browserWith(server: { port: number }, secret: string, origin?: string): Browser {
  const cookie = sessionCookie(secret, origin?.startsWith("https:") === true).split(";", 1)[0];
  return Object.assign(new Browser(server, origin), { cookie, token: tokenOf(secret) });
}

/** The JSON API of an app, with everything that a request goes through, and without doors beside it. */
export async function serveApi(app: App, options: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const serving = new Serving(app);
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    names: ["skills.example.org"],
    serving,
    world: app.world,
    policy: app.review.policy,
    log: { write: (line) => void lines.push(line) },
    telemetry: null,
    bounds: { perMinute: 100_000, failuresPerMinute: 100_000 },
    doors: [],
    ...options,
  });
  const stop = async () => {
    await server.stop();
    await serving.close();
  };
  return { ...server, stop, logged: () => lines.join("") };
}

/** That API over real HTTP on a real store, for browsers: the users are ann (admin) and bob (operator). The clock stands. */
export async function openSessionRoom(users: Readonly<Record<string, Role>> = { ann: "admin", bob: "operator" }) {
  const folder = new RegistryFolder();
  const app = await folder.open();
  for (const [name, role] of Object.entries(users)) await putUser(app.accounts, name, role);
  const server = await serveApi(app);
  const room: SessionRoom = {
    port: server.port,
    folder,
    app,
    browser: (origin) => new Browser(server, origin),
    signedIn: async (name, origin) => browserWith(server, await openSession(app.accounts, name, "password"), origin),
    everything() {
      const tables = folder.sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
      return Object.fromEntries(tables.map(({ name }) => [String(name), folder.sql(`SELECT * FROM ${String(name)}`)]));
    },
    audited: (count) =>
      folder
        .sql("SELECT act, by_whom, subject, details FROM audit ORDER BY seq DESC LIMIT ?", count)
        .map((row) => ({
          act: String(row["act"]),
          by: String(row["by_whom"]),
          subject: String(row["subject"]),
          details: String(row["details"]),
        }))
        .toReversed(),
    logged: server.logged,
    async close() {
      await server.stop();
      await folder.remove();
    },
  };
  return room;
}
