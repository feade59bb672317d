import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { addUser } from "../../src/registry/accounts/users.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import type { RunningServer } from "../../src/server/server.ts";
import { type AppHome, newHome } from "../support/app-home.ts";
import { call } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

/** One server that trusts nobody, one that trusts this machine, and one that trusts another. */
const servers: Record<"nobody" | "here" | "elsewhere", RunningServer | undefined> = {
  nobody: undefined,
  here: undefined,
  elsewhere: undefined,
};
let home: AppHome;

beforeAll(async () => {
  home = await newHome("SQLite");
  home.write(".config/skillward/config.yaml", "serve: { hosts: [skills.example.org] }\n");
  const app = await home.open();
  await addUser(app.accounts, allow(ada), { name: "ada", role: "admin", password: "a password of nobody" });
  const start = (addresses: readonly string[]) =>
    serveApp(trusting(app, addresses), { host: "127.0.0.1", port: 0, log: { write: () => {} } });
  servers.nobody = await start([]);
  servers.here = await start(["127.0.0.1"]);
  servers.elsewhere = await start(["10.1.2.3", "::1"]);
});

afterAll(async () => {
  for (const server of Object.values(servers)) await server?.stop();
  await home.remove();
});

function trusting(app: App, addresses: readonly string[]): App {
  const signIn = { ...app.config.signIn, proxy: { addresses, header: "x-forwarded-user" } };
  return { ...app, config: { ...app.config, signIn } };
}

async function asked(whom: keyof typeof servers, headers: Record<string, string | string[]>) {
  const { port = 0 } = servers[whom] ?? {};
  const reply = await call({ port }, "/api/session", { headers: { host: "skills.example.org", ...headers } });
  return { name: reply.json().person?.name, cookies: reply.headers["set-cookie"] ?? [] };
}

const sessions = () => home.sql("SELECT owner, way FROM sessions");
const nobody = { name: undefined, cookies: [] };

describe("SV-11: a reverse proxy says who asks", () => {
  test("nobody is believed until an address is configured, nor from another address than that", async () => {
    expect(await asked("nobody", { "x-forwarded-user": "ada" })).toEqual(nobody);
    expect(await asked("elsewhere", { "x-forwarded-user": "ada" })).toEqual(nobody);
    // What a client says of where it comes from is not looked at.
    expect(await asked("elsewhere", { "x-forwarded-user": "ada", "x-forwarded-for": "10.1.2.3" })).toEqual(nobody);
    expect(await sessions()).toEqual([]);
  });

  test.each([
    ["twice", ["ada", "ada"]],
    ["a list", "ada, ada"],
    ["no user", "mallory"],
    ["no name", "machine:root"],
  ])("the header as %s means nobody", async (_what, value) => {
    expect(await asked("here", { "x-forwarded-user": value })).toEqual(nobody);
    expect(await sessions()).toEqual([]);
  });

  test("whom it names is signed in", async () => {
    const { name, cookies } = await asked("here", { "x-forwarded-user": "Ada" });
    expect([name, cookies]).toEqual(["ada", [expect.stringMatching(/^__Host-skillward=/)]]);
    expect(await sessions()).toEqual([{ owner: "ada", way: "proxy" }]);
    const cookie = cookies[0]?.split(";")[0] ?? "";
    expect((await asked("here", { cookie, "x-forwarded-user": "ada" })).name).toBe("ada");
    // The cookie alone is worth nothing without the proxy's word.
    expect((await asked("here", { cookie })).name).toBeUndefined();
    expect((await asked("nobody", { cookie, "x-forwarded-user": "ada" })).name).toBeUndefined();
  });
});
