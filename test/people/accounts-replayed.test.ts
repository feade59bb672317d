import { describe, expect, test } from "vitest";
import { addApiKey } from "../../src/features/people/flow.ts";
import type { App } from "../../src/app/app.ts";
import { rotateKeys } from "../../src/features/health/rotation.ts";
import { ReserveKeeper } from "../../src/app/standby/reserve-keeper.ts";
import { verifyStore } from "../../src/features/audit/verification.ts";
import { listKeys, revokeKey } from "../../src/registry/accounts/api-keys.ts";
import { authenticate } from "../../src/registry/accounts/authenticate.ts";
import { lookAtSession, openSession, signIn } from "../../src/registry/accounts/sessions.ts";
import {
  addUser,
  disableUser,
  insertUser,
  listUsers,
  removeUser,
  resetPassword,
  setRole,
} from "../../src/registry/accounts/users.ts";
import { addProvider, changeProvider, removeProvider, setProviderSecret } from "../../src/models/providers.ts";
import { type AppHome, appHome } from "../support/app-home.ts";
import { portOf } from "../support/gateway-speakers.ts";
import { call } from "../support/http-serving.ts";
import { forRun } from "../support/long-run.ts";
import { ada } from "../support/registry.ts";
import { keptUp, standbyRoom } from "../support/standby-room.ts";
import { allow } from "../support/permits.ts";
import { password, passwordHash } from "./session-room.ts";
import { permitLlm } from "../../src/models/context.ts";

const another = "another one entirely";

/** What whoever can write to the database does: keep a row as it is now, and put it back later. */
async function kept(home: AppHome, table: string): Promise<() => Promise<void>> {
  await home.sql(`CREATE TABLE older_${table} AS SELECT * FROM ${table}`);
  return async () => {
    await home.sql(`DELETE FROM ${table}`);
    await home.sql(`INSERT INTO ${table} SELECT * FROM older_${table}`);
    await home.sql(`DROP TABLE older_${table}`);
  };
}

const accountFaults = async (home: AppHome) => {
  const { parts } = await verifyStore(await home.inspect(), { all: true });
  return parts.flatMap(({ part, findings }) => findings.map(({ code, at }) => [part, code, at.file]));
};

const put = ({ accounts }: App, name: string) =>
  accounts.kept.transaction((port) => insertUser(accounts, port, ada, { name, role: "admin", password: passwordHash }));

describe.each(["SQLite", "PostgreSQL"] as const)("T18: an older row of an account, put back on %s", (engine) => {
  test("a revoked key stays revoked, for the process that knew it and for a new one, and verifying names it", async () => {
    const home = await appHome(engine);
    const app = await home.open();
    const { text, record } = await addApiKey(app, { name: "leaked", role: "admin" });
    const other = await addApiKey(app, { name: "other", role: "reader" });
    const back = await kept(home, "api_keys");
    expect(await authenticate(app.accounts, text)).toMatchObject({ role: "admin" });
    await revokeKey(app.accounts, allow(ada), record.id);
    await back();
    for (const each of [app, await home.open()]) {
      await expect(authenticate(each.accounts, text)).rejects.toMatchObject({ code: "auth.failed" });
      expect(await authenticate(each.accounts, other.text)).toMatchObject({ role: "reader" });
      const { keys, findings } = await listKeys(each.accounts, allow(ada));
      expect(keys.find(({ id }) => id === record.id)).toMatchObject({ state: "tampered" });
      expect(findings).toMatchObject([{ code: "account.tampered", at: { file: `keys/${record.id}` } }]);
    }
    expect(await accountFaults(home)).toEqual([["keys", "account.tampered", `keys/${record.id}`]]);
    expect(await revokeKey(app.accounts, allow(ada), record.id)).toMatchObject({ state: "revoked" });
    expect(await accountFaults(home)).toEqual([]);
  });

  const changes: readonly [string, (app: App) => Promise<unknown>][] = [
    ["removed", ({ accounts }) => removeUser(accounts, allow(ada), "eve")],
    ["disabled", ({ accounts }) => disableUser(accounts, allow(ada), "eve")],
    ["given another role", ({ accounts }) => setRole(accounts, allow(ada), "eve", "reader")],
    ["given another password", ({ accounts }) => resetPassword(accounts, allow(ada), "eve", another)],
    [
      "removed, and another of that name added",
      async ({ accounts }) => {
        await removeUser(accounts, allow(ada), "eve");
        await addUser(accounts, allow(ada), { name: "eve", role: "admin", password: another });
      },
    ],
  ];

  // What a change does to the rows depends little on the engine.
  const few = changes.filter(([what]) => ["removed", "given another role"].includes(what));
  test.each(engine === "SQLite" ? changes : forRun({ short: few, long: changes }))(
    "whoever was %s does not sign in as before, nor do sessions, and verifying names them",
    async (_what, change) => {
      const home = await appHome(engine);
      const app = await home.open();
      for (const name of ["ann", "eve"]) await put(app, name);
      const secret = await openSession(app.accounts, "eve", "oidc");
      expect(await lookAtSession(app.accounts, secret)).toBeDefined();
      const backs = [await kept(home, "users"), await kept(home, "sessions")];
      await change(app);
      for (const back of backs) await back();
      for (const each of [app, await home.open()]) {
        await expect(signIn(each.accounts, "eve", password)).rejects.toMatchObject({ code: "auth.failed" });
        expect(await lookAtSession(each.accounts, secret)).toBeUndefined();
        const { users, findings } = await listUsers(each.accounts, allow(ada));
        expect(users.map(({ state }) => state)).toEqual(["enabled", "tampered"]);
        expect(findings).toMatchObject([{ code: "account.tampered", at: { file: "users/eve" } }]);
      }
      expect(await accountFaults(home)).toEqual([["users", "account.tampered", "users/eve"]]);
      await removeUser(app.accounts, allow(ada), "eve");
      expect(await accountFaults(home)).toEqual([]);
    },
  );

  test("T40: rotating the key file seals none of them, and what is right stays so", async () => {
    const home = await appHome(engine);
    const app = await home.open();
    const { text } = await addApiKey(app, { name: "good", role: "reader" });
    for (const name of ["ann", "eve"]) await put(app, name);
    const back = await kept(home, "users");
    await setRole(app.accounts, allow(ada), "eve", "reader");
    await back();
    await app.close();
    const { users, keys, findings } = await rotateKeys(() => home.open());
    expect([users, keys, findings.map(({ at }) => at.file)]).toEqual([1, 1, ["users/eve"]]);
    const again = await home.open();
    expect(await authenticate(again.accounts, text)).toMatchObject({ role: "reader" });
    expect(await signIn(again.accounts, "ann", password)).toMatchObject({ role: "admin" });
    expect(await accountFaults(home)).toEqual([["users", "account.tampered", "users/eve"]]);
  });
});

describe("T43: an older row of a provider, put back", () => {
  const [origin, secret] = ["https://models.example.org", "a-secret-of-the-service"];
  const changes: readonly [string, (app: App) => Promise<unknown>][] = [
    ["removed", (app) => removeProvider(permitLlm(app, "administer"), "house")],
    ["moved", (app) => changeProvider(permitLlm(app, "administer"), "house", { origin: "https://other.example.org" })],
    ["given other models", (app) => changeProvider(permitLlm(app, "administer"), "house", { models: ["small"] })],
    ["given another secret", (app) => setProviderSecret(permitLlm(app, "administer"), "house", "another-secret-of-it")],
  ];

  test.each(changes)(
    "one that was %s is named by verifying, and is right again when it is said again",
    async (_what, change) => {
      const home = await appHome();
      const app = await home.open();
      await addProvider(permitLlm(app, "administer"), "house", { protocol: "openai", origin, models: ["*"] }, secret);
      await addProvider(permitLlm(app, "administer"), "bare", { protocol: "openai", origin, models: ["a", "b"] });
      await setProviderSecret(permitLlm(app, "administer"), "bare", secret);
      await changeProvider(permitLlm(app, "administer"), "bare", { origin: "https://third.example.org" });
      expect(await accountFaults(home)).toEqual([]);
      const back = await kept(home, "llm_records");
      await change(app);
      expect(await accountFaults(home)).toEqual([]);
      await back();
      expect(await accountFaults(home)).toEqual([["providers", "provider.tampered", "providers/house"]]);
      await removeProvider(permitLlm(app, "administer"), "house");
      expect(await accountFaults(home)).toEqual([]);
    },
  );
});

describe("T18: an older row of a key put back", () => {
  test("is nobody's at a running node, at once and while its database is away; SV-7: who has a key keeps it", async () => {
    const { home, place, proxy } = await standbyRoom();
    const { text, record } = await addApiKey(home.app, { name: "leaked", role: "admin" });
    const asks = async (key: string) => (await call(portOf(home), "/v1/models", { key })).status;
    await place.query(`CREATE TABLE older AS SELECT * FROM api_keys WHERE id = '${record.id}'`);
    expect(await asks(text)).toBe(200);
    await revokeKey(home.app.accounts, allow(ada), record.id);
    await place.query(`DELETE FROM api_keys WHERE id = '${record.id}'`);
    await place.query("INSERT INTO api_keys SELECT * FROM older");
    expect([await asks(text), await asks(home.key)]).toEqual([401, 200]);
    await keptUp({ home });
    proxy.cut();
    expect([await asks(text), await asks(home.key)]).toEqual([401, 200]);
  });

  test("SV-7: what a node keeps for when its database is away comes with what was said of keys", async () => {
    const home = await appHome();
    const app = await home.open();
    const { text, record } = await addApiKey(app, { name: "late", role: "reader" });
    const node = await home.open();
    const failures: unknown[] = [];
    const keeper = new ReserveKeeper(node, { isThere: async () => true, onFailure: (error) => failures.push(error) });
    keeper.keep(await node.kept.read.generation());
    await expect.poll(() => keeper.reserve !== null).toBe(true);
    await keeper.stop();
    expect(node.accounts.history.key(record.id)).toMatchObject({ isNamed: true });
    // Whatever else would be asked of the store is not there.
    const read = { ...node.kept.read, ...keeper.reserve?.reads, findAudit: () => Promise.reject(new Error("away")) };
    const away = { ...node.accounts, kept: { ...node.accounts.kept, read } };
    expect(await authenticate(away, text)).toMatchObject({ role: "reader" });
    expect(failures).toEqual([]);
  });
});
