import { beforeAll, describe, expect, test } from "vitest";
import { accountsWith, withFullAudit } from "../../testing/memory-accounts.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { watchHashes } from "../../testing/watched-hashes.ts";
import { createKeyFile, loadKeys } from "../keys.ts";
import { AccountHistory } from "./account-history.ts";
import { addKey, listKeys } from "./api-keys.ts";
import { hashPassword } from "./password.ts";
import type { UserRecord } from "./port.ts";
import { type Person, type Role, roles } from "./roles.ts";
import { signIn } from "./sessions.ts";
import { addUser, disableUser, enableUser, listUsers, removeUser, resetPassword, setRole, showUser } from "./users.ts";
import { allow } from "../../../test/support/permits.ts";

const password = "correct horse battery staple";
const another = "another one entirely";
const root: Person = { name: "machine:root", role: "admin", configurations: null };
const wrong = { code: "auth.failed", message: "the name or the password is wrong" };
let hashed = "";

beforeAll(async () => {
  hashed = await hashPassword(password, seededRandomness());
});

const registryWith = (users: Readonly<Record<string, Role>>) => accountsWith(users, hashed);
type Registry = ReturnType<typeof registryWith>;

function rowOf({ kept }: Registry, name: string): UserRecord {
  const user = kept.rows.users.get(name);
  if (user === undefined) throw new Error(`no row of ${name}`);
  return user;
}

const lastAudit = ({ kept }: Registry) => kept.rows.audit.at(-1);
describe("RV-12: a user", () => {
  test("is added, signs in with the password and nothing else, and is in the audit without it", async () => {
    const registry = registryWith({});
    const added = await addUser(registry, allow(root), { name: "ann", role: "operator", password });
    expect(added).toEqual({ name: "ann", role: "operator", createdAt: 1000, disabledAt: null, state: "enabled" });
    expect(await signIn(registry, "ann", password)).toEqual({ name: "ann", role: "operator", configurations: null });
    await expect(signIn(registry, "ann", another)).rejects.toMatchObject(wrong);
    expect(lastAudit(registry)).toMatchObject({
      at: 1000,
      by: "machine:root",
      act: "user.added",
      subject: "ann",
      details: '{"role":"operator","seal":2}',
    });
    expect(registry.kept.rows.generation).toBe(1);
  });

  test("is shown as the list shows them; who is not there is said", async () => {
    const registry = registryWith({ ann: "admin" });
    const { users } = await listUsers(registry, allow(root));
    expect([await showUser(registry, allow(root), "ann")]).toEqual(users);
    await expect(showUser(registry, allow(root), "bob")).rejects.toMatchObject({ code: "record.missing" });
  });

  test("gets another role", async () => {
    const registry = registryWith({ ann: "operator" });
    expect(await setRole(registry, allow(root), "ann", "reviewer")).toMatchObject({ role: "reviewer" });
    expect(await signIn(registry, "ann", password)).toMatchObject({ role: "reviewer" });
    expect(lastAudit(registry)).toMatchObject({
      act: "user.changed",
      details: '{"role":{"from":"operator","to":"reviewer"},"seal":2}',
    });
  });

  test("gets another password, and the old one is none", async () => {
    const registry = registryWith({ ann: "operator" });
    await resetPassword(registry, allow(root), "ann", another);
    await expect(signIn(registry, "ann", password)).rejects.toMatchObject(wrong);
    expect(await signIn(registry, "ann", another)).toMatchObject({ name: "ann" });
    expect(lastAudit(registry)).toMatchObject({ act: "user.changed", details: '{"password":"replaced","seal":2}' });
  });

  test("is disabled and enabled", async () => {
    const registry = registryWith({ ann: "operator" });
    registry.clock.advance(5);
    expect(await disableUser(registry, allow(root), "ann")).toMatchObject({ state: "disabled", disabledAt: 1005 });
    await expect(signIn(registry, "ann", password)).rejects.toMatchObject(wrong);
    expect(await enableUser(registry, allow(root), "ann")).toMatchObject({ state: "enabled", disabledAt: null });
    expect(await signIn(registry, "ann", password)).toMatchObject({ name: "ann" });
    expect(registry.kept.rows.audit.slice(-2).map(({ details }) => details)).toEqual([
      '{"seal":2,"state":"disabled"}',
      '{"seal":2,"state":"enabled"}',
    ]);
  });

  test("is removed with all keys, so that the next of that name inherits none", async () => {
    const registry = registryWith({ ann: "operator", bob: "reader" });
    const { record } = await addKey(registry, allow(root), { name: "laptop", role: "reader", user: "ann" });
    const kept = await addKey(registry, allow(root), { name: "phone", role: "reader", user: "bob" });
    await removeUser(registry, allow(root), "ann");
    expect((await listUsers(registry, allow(root))).users.map(({ name }) => name)).toEqual(["bob"]);
    const states = (await listKeys(registry, allow(root))).keys.map(({ id, state }) => [id, state]);
    expect(Object.fromEntries(states)).toEqual({ [record.id]: "revoked", [kept.record.id]: "active" });
    expect(registry.kept.rows.audit.slice(-2)).toMatchObject([
      { act: "key.revoked", subject: record.id },
      { act: "user.removed", subject: "ann" },
    ]);
  });

  test("what is so already is not changed again, nor recorded", async () => {
    const registry = registryWith({ ann: "operator" });
    await setRole(registry, allow(root), "ann", "operator");
    await enableUser(registry, allow(root), "ann");
    expect(registry.kept.rows.audit).toHaveLength(1);
    const first = await disableUser(registry, allow(root), "ann");
    registry.clock.advance(5);
    expect(await disableUser(registry, allow(root), "ann")).toEqual(first);
    expect(registry.kept.rows.audit).toHaveLength(2);
  });

  test.each(["a", "0", "ann.b-c_d", "a".repeat(64)])("may be called %s", async (name) => {
    const registry = registryWith({ [name]: "reader" });
    expect(await signIn(registry, name, password)).toMatchObject({ name });
  });

  test.each(
    [
      ["", ".ann", "-ann", "_ann", "Ann", "änn", "ann b", "ann\n", "a".repeat(65)],
      ["key:ann", "machine:root", "key:", "ann:b", "../ann", "__proto__", "ann\u0000", "аnn"],
    ].flat(),
  )("may not be called %j", async (name) => {
    const registry = registryWith({});
    const watched = await watchHashes(() =>
      expect(addUser(registry, allow(root), { name, role: "reader", password })).rejects.toMatchObject({
        code: "usage.invalid",
        message: expect.stringContaining("1 to 64 lowercase letters, digits, dots, hyphens and underscores"),
      }),
    );
    expect(watched.started).toBe(0);
    expect(registry.kept.rows.users.size).toBe(0);
  });

  test("who is there already, or is not, or has no such role: refused, nothing changed", async () => {
    const registry = registryWith({ ann: "reader" });
    const before = rowOf(registry, "ann");
    await expect(
      addUser(registry, allow(root), { name: "ann", role: "admin", password: another }),
    ).rejects.toMatchObject({
      code: "record.exists",
    });
    await expect(addUser(registry, allow(root), { name: "bob", role: "king", password })).rejects.toMatchObject({
      code: "usage.invalid",
    });
    await expect(setRole(registry, allow(root), "ann", "king")).rejects.toMatchObject({ code: "usage.invalid" });
    await expect(resetPassword(registry, allow(root), "ann", "short")).rejects.toMatchObject({ code: "usage.invalid" });
    for (const act of [disableUser, enableUser, removeUser])
      await expect(act(registry, allow(root), "bob\u202E")).rejects.toMatchObject({
        code: "record.missing",
        message: expect.stringContaining('no user "bob\\u{202e}"'),
      });
    expect([...registry.kept.rows.users.values()]).toEqual([before]);
    expect(registry.kept.rows.audit).toHaveLength(1);
  });

  test("RV-8: a change that cannot be recorded is not made", async () => {
    const registry = registryWith({ ann: "reader" });
    const full = { ...registry, kept: withFullAudit(registry.kept) };
    const before = new Map(registry.kept.rows.users);
    const acts = [
      () => addUser(full, allow(root), { name: "bob", role: "admin", password }),
      () => setRole(full, allow(root), "ann", "admin"),
      () => removeUser(full, allow(root), "ann"),
    ];
    for (const act of acts) await expect(act()).rejects.toThrow("the disk is full");
    expect(registry.kept.rows.users).toEqual(before);
  });
});

describe("RV-12: the last enabled admin", () => {
  const acts: readonly [string, (registry: Registry, name: string) => Promise<unknown>][] = [
    ["removed", (registry, name) => removeUser(registry, allow(root), name)],
    ["disabled", (registry, name) => disableUser(registry, allow(root), name)],
    ["demoted", (registry, name) => setRole(registry, allow(root), name, "reviewer")],
  ];

  test.each(acts)("cannot be %s, whoever else is there", async (_what, act) => {
    const registry = registryWith({ ann: "admin", bob: "admin", cy: "operator", eve: "reader" });
    await disableUser(registry, allow(root), "bob");
    registry.kept.rows.users.set("eve", { ...rowOf(registry, "eve"), role: "admin" });
    const before = new Map(registry.kept.rows.users);
    await expect(act(registry, "ann")).rejects.toMatchObject({
      code: "record.in-use",
      message: "ann is the last enabled admin, so nothing was changed; make another user admin first",
    });
    expect(registry.kept.rows.users).toEqual(before);
    await enableUser(registry, allow(root), "bob");
    await act(registry, "ann");
    await expect(act(registry, "bob")).rejects.toMatchObject({ code: "record.in-use" });
  });

  test("two at once cannot take each other out", async () => {
    const registry = registryWith({ ann: "admin", bob: "admin" });
    const results = await Promise.allSettled([
      disableUser(registry, allow(root), "ann"),
      disableUser(registry, allow(root), "bob"),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("may still get another password", async () => {
    const registry = registryWith({ ann: "admin" });
    expect(await resetPassword(registry, allow(root), "ann", another)).toMatchObject({ state: "enabled" });
  });
});

describe("RV-12: only an admin", () => {
  const untouched = {
    kept: {
      get read(): never {
        throw new Error("read");
      },
      transaction: () => Promise.reject(new Error("written")),
    },
    keys: loadKeys(createKeyFile(seededRandomness())),
    clock: fixedClock(),
    random: {
      bytes(): never {
        throw new Error("random");
      },
    },
    policy: { reviewers: true },
    history: new AccountHistory(),
  };

  test.each(roles.filter((role) => role !== "admin"))("a %s is refused before anything else happens", async (role) => {
    const by: Person = { name: "eve", role, configurations: null };
    const acts = [
      async () => addUser(untouched, allow(by), { name: "Not A Name", role: "king", password: "short" }),
      async () => setRole(untouched, allow(by), "ann", "king"),
      async () => resetPassword(untouched, allow(by), "ann", "short"),
      async () => disableUser(untouched, allow(by), "ann"),
      async () => enableUser(untouched, allow(by), "ann"),
      async () => removeUser(untouched, allow(by), "ann"),
      async () => listUsers(untouched, allow(by)),
      async () => showUser(untouched, allow(by), "ann"),
    ];
    const watched = await watchHashes(async () => {
      for (const act of acts) await expect(act()).rejects.toMatchObject({ code: "auth.forbidden" });
    });
    expect(watched.started).toBe(0);
  });
});

test("T40: neither a list nor the audit holds a password or a hash, and no row a password", async () => {
  const registry = registryWith({ ann: "admin" });
  await addUser(registry, allow(root), { name: "bob", role: "reader", password });
  await resetPassword(registry, allow(root), "bob", another);
  const rows = JSON.stringify([...registry.kept.rows.users.values()]);
  await removeUser(registry, allow(root), "bob");
  const shown = JSON.stringify([registry.kept.rows.audit, await listUsers(registry, allow(root))]);
  expect(shown).not.toMatch(/scrypt|correct horse|another one/);
  expect(rows).not.toMatch(/correct horse|another one/);
});
