import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { type ApiDocument, conformityOf } from "../support/api-conformity.ts";
import type { Browser } from "./http-browser.ts";
import { call as send } from "../support/http-serving.ts";
import { openSessionRoom, password, putUser, type SessionRoom } from "./session-room.ts";
import { permitLlm } from "../../src/models/context.ts";

let room: SessionRoom;
let admin: Browser;
let demandConformity: ReturnType<typeof conformityOf>;

beforeAll(async () => {
  room = await openSessionRoom();
  const llm = permitLlm(room.app, "administer");
  await addProvider(llm, "echo", { protocol: "echo", models: ["*"] });
  await addConfiguration(llm, "support", { provider: "echo", model: "m" });
  admin = await room.signedIn("ann");
  const document: ApiDocument = (await admin.call("GET", "/api/openapi.json")).json();
  demandConformity = conformityOf(document);
});
afterAll(() => room.close());
beforeEach(async () => {
  room.folder.clock.advance(24 * 3_600_000);
  await putUser(room.app.accounts, "bob", "operator");
  admin = await room.signedIn("ann");
});

/** As an admin at a browser; what goes over the wire is as the server describes it. */
async function ask(method: string, path: string, json?: unknown) {
  const reply = await admin.call(method, path, json === undefined ? {} : { json });
  demandConformity({ method, path, json, reply });
  return reply;
}

async function refused(method: string, path: string, json?: unknown): Promise<string> {
  const before = room.everything();
  const reply = await ask(method, path, json);
  expect(room.everything()).toEqual(before);
  return reply.json().code;
}

const bob = { name: "bob", role: "operator", createdAt: expect.any(Number), disabledAt: null, state: "enabled" };

describe("RV-12: users", () => {
  test("RV-12: are listed, added, given another role, disabled, enabled and removed", async () => {
    const added = await ask("POST", "/api/users", { name: "carol", role: "reader", password });
    const now = room.folder.clock.now();
    const carol = { name: "carol", role: "reader", createdAt: now, disabledAt: null, state: "enabled", password: null };
    expect(added.json()).toEqual(carol);
    expect(room.audited(1)).toEqual([
      { act: "user.added", by: "ann", subject: "carol", details: '{"role":"reader","seal":2}' },
    ]);
    expect((await room.browser().signIn("carol", password)).json().person.name).toBe("carol");

    const change = async (json: object) => (await ask("PATCH", "/api/users/carol", json)).json();
    expect(await change({ role: "operator" })).toEqual({ ...carol, role: "operator" });
    expect(await change({ state: "disabled" })).toMatchObject({ state: "disabled", disabledAt: now });
    expect(await change({ state: "enabled" })).toMatchObject({ state: "enabled", disabledAt: null });
    const { users, findings } = (await ask("GET", "/api/users")).json();
    expect(users.map(({ name }: { name: string }) => name)).toEqual(["ann", "bob", "carol"]);
    expect([users[1], findings]).toEqual([bob, []]);
    expect((await ask("DELETE", "/api/users/carol")).json()).toEqual({ removed: "carol" });
    expect((await ask("GET", "/api/users")).json().users).toHaveLength(2);
  });

  test("RV-12: a password that is made is in one answer, and works; one that somebody chose is in none", async () => {
    const { password: made } = (await ask("PATCH", "/api/users/bob", { password: null })).json();
    expect(made).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    const browser = room.browser();
    await browser.signIn("bob", made);
    expect((await ask("PATCH", "/api/users/bob", { password })).json().password).toBeNull();
    expect(await browser.whoami()).toBeNull();
    expect(room.logged() + JSON.stringify(room.everything())).not.toContain(made);
  });

  test("RV-12: what cannot be is refused, and nothing changes", async () => {
    const one = { name: "dave", role: "reader", password };
    expect(await refused("POST", "/api/users", { ...one, name: "bob" })).toBe("record.exists");
    for (const wrong of [{ name: "Not A Name" }, { role: "king" }, { password: "short" }, { more: 1 }])
      expect(await refused("POST", "/api/users", { ...one, ...wrong })).toBe("usage.invalid");
    expect(await refused("PATCH", "/api/users/nobody", { role: "reader" })).toBe("record.missing");
    expect(await refused("DELETE", "/api/users/nobody")).toBe("record.missing");
    for (const change of [{}, { role: "reader", state: "disabled" }, { state: "tampered" }, { name: "x" }])
      expect(await refused("PATCH", "/api/users/bob", change)).toBe("usage.invalid");
  });

  test("RV-12: the last admin stays one", async () => {
    for (const change of [{ role: "reader" }, { state: "disabled" }])
      expect(await refused("PATCH", "/api/users/ann", change)).toBe("record.in-use");
    expect(await refused("DELETE", "/api/users/ann")).toBe("record.in-use");
  });

  test("T18: a row that was written by hand is listed as such", async () => {
    room.folder.sql("UPDATE users SET role = 'admin' WHERE name = 'bob'");
    const { users, findings } = (await ask("GET", "/api/users")).json();
    expect(users[1]).toMatchObject({ name: "bob", state: "tampered" });
    expect(findings).toMatchObject([{ code: "account.tampered", level: "high", at: { file: "users/bob", line: 1 } }]);
  });
});

describe("RV-12: API keys", () => {
  test("RV-12: the text is in the answer that makes it and nowhere else; revoked, it is worth nothing", async () => {
    const made = (await ask("POST", "/api/keys", { name: "shop", role: "reader", configurations: ["support"] })).json();
    const { key, ...shop } = made;
    expect(key).toMatch(/^skw_[0-9a-f]{16}_[\w-]{43}$/);
    expect(shop).toMatchObject({
      name: "shop",
      role: "reader",
      user: null,
      configurations: ["support"],
      state: "active",
    });
    const used = () => send(room, "/metrics", { key });
    expect((await used()).status).toBe(200);
    const listed = await ask("GET", "/api/keys");
    expect(listed.json().keys).toEqual([shop]);
    expect(listed.text + room.logged() + JSON.stringify(room.everything())).not.toContain(key.slice(-43));
    expect((await ask("DELETE", `/api/keys/${shop.id}`)).json()).toMatchObject({ id: shop.id, state: "revoked" });
    expect((await used()).status).toBe(401);
    expect(room.audited(2).map(({ act, by }) => [act, by])).toEqual([
      ["key.added", "ann"],
      ["key.revoked", "ann"],
    ]);
  });

  test("RV-12: a key of a user is theirs, and never more than they are", async () => {
    const { key } = (await ask("POST", "/api/keys", { name: "bobs", role: "admin", user: "bob" })).json();
    expect((await send(room, "/api/users", { key })).status).toBe(403);
    await ask("PATCH", "/api/users/bob", { state: "disabled" });
    expect((await send(room, "/metrics", { key })).status).toBe(401);
  });

  test("RV-12: what cannot be is refused, and nothing is made", async () => {
    const one = { name: "other", role: "reader" };
    expect(await refused("POST", "/api/keys", { ...one, configurations: ["suport"] })).toBe("record.missing");
    expect(await refused("POST", "/api/keys", { ...one, user: "nobody" })).toBe("record.missing");
    for (const wrong of [{ role: "king" }, { configurations: [] }, { role: "admin", configurations: ["support"] }])
      expect(await refused("POST", "/api/keys", { ...one, ...wrong })).toBe("usage.invalid");
    expect(await refused("DELETE", "/api/keys/nobody")).toBe("record.missing");
  });
});

test("T39: users and keys are for admins, whoever asks and by whatever way", async () => {
  const bobs = await room.signedIn("bob");
  const before = room.everything();
  const writes: [string, string, object | undefined][] = [
    ["GET", "/api/users", undefined],
    ["POST", "/api/users", { name: "eve", role: "admin", password }],
    ["PATCH", "/api/users/bob", { role: "admin" }],
    ["DELETE", "/api/users/ann", undefined],
    ["GET", "/api/keys", undefined],
    ["POST", "/api/keys", { name: "eve", role: "admin" }],
    ["DELETE", "/api/keys/x", undefined],
  ];
  for (const [method, path, json] of writes) {
    const asked = json === undefined ? {} : { json };
    expect([method, path, (await bobs.call(method, path, asked)).status]).toEqual([method, path, 403]);
    expect([method, path, (await room.browser().call(method, path, asked)).status]).toEqual([method, path, 401]);
  }
  expect(room.everything()).toEqual(before);
});
