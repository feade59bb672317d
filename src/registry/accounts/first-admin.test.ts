import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { accountsWith, leaveUser } from "../../testing/memory-accounts.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { watchHashes } from "../../testing/watched-hashes.ts";
import { createKeyFile, loadKeys, rotateKeyFile } from "../keys.ts";
import { addFirstAdmin, firstAdminLink } from "./first-admin.ts";
import type { Role } from "./roles.ts";
import { signIn } from "./sessions.ts";
import { disableUser } from "./users.ts";
import { allow } from "../../../test/support/permits.ts";

const password = "correct horse battery staple";
const day = 24 * 3_600_000;
const refused = { code: "auth.failed", message: expect.stringContaining("this link is not valid") };

function registryWith(users: Readonly<Record<string, Role>> = {}) {
  return { ...accountsWith(users), store: "0123456789abcdef" };
}
type Registry = ReturnType<typeof registryWith>;

const everything = ({ kept }: Registry) => structuredClone(kept.rows);

async function tokenOf(registry: Registry): Promise<string> {
  const link = (await firstAdminLink(registry, "http://localhost:8787")) ?? "";
  const [, token = ""] = /^http:\/\/localhost:8787\/#\/first\/([\w.-]+)$/.exec(link) ?? [];
  expect(token).not.toBe("");
  return token;
}

/** What became of a try with this token: nothing, and without any of the slow work. */
async function tried(registry: Registry, token: string) {
  const before = everything(registry);
  let error: unknown;
  const { started } = await watchHashes(async () => {
    error = await addFirstAdmin(registry, token, { name: "eve", password }).catch((reason: unknown) => reason);
  });
  return { error, hashes: started, isAsBefore: isDeepStrictEqual(everything(registry), before) };
}

const inVain = { error: expect.objectContaining(refused), hashes: 0, isAsBefore: true };

describe("RV-12: the first admin", () => {
  test("is made with the link, which stores nothing; the audit says how", async () => {
    const registry = registryWith({ ben: "reader" });
    const before = everything(registry);
    const token = await tokenOf(registry);
    expect(everything(registry)).toEqual(before);
    const made = await addFirstAdmin(registry, token, { name: "ann", password });
    expect(made).toEqual({ name: "ann", role: "admin", createdAt: 1000, disabledAt: null, state: "enabled" });
    expect(await signIn(registry, "ann", password)).toMatchObject({ name: "ann", role: "admin" });
    expect(registry.kept.rows.audit.slice(-1)).toMatchObject([
      { act: "user.added", by: "link:first-admin", subject: "ann" },
    ]);
    expect(JSON.stringify(registry.kept.rows.audit)).not.toContain(token);
  });

  test("is made once: the link is good for nothing afterwards, and there is no other", async () => {
    const registry = registryWith();
    const token = await tokenOf(registry);
    await addFirstAdmin(registry, token, { name: "ann", password });
    expect(await tried(registry, token)).toEqual(inVain);
    expect(await firstAdminLink(registry, "http://localhost")).toBeNull();
  });

  test("is not made where there is one, whoever made them", async () => {
    const registry = registryWith();
    const token = await tokenOf(registry);
    const row = { name: "zoe", role: "admin", password: "", createdAt: 1, disabledAt: null };
    leaveUser(registry, row);
    expect(await tried(registry, token)).toEqual(inVain);
  });

  test("is one of two that come at once with the same link", async () => {
    const registry = registryWith();
    const token = await tokenOf(registry);
    const tries = ["ann", "bob"].map((name) => addFirstAdmin(registry, token, { name, password }));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: refused });
    expect([...registry.kept.rows.users.values()].map(({ role }) => role)).toEqual(["admin"]);
    expect(registry.kept.rows.audit).toHaveLength(1);
  });

  test("is not made of a name that is taken, or with a password that is too short; the link stays good", async () => {
    const registry = registryWith({ ben: "reader" });
    const token = await tokenOf(registry);
    const before = everything(registry);
    const wrong: [name: string, password: string, code: string][] = [
      ["ben", password, "record.exists"],
      ["Not A Name", password, "usage.invalid"],
      ["ann", "short", "usage.invalid"],
    ];
    for (const [name, chosen, code] of wrong)
      await expect(addFirstAdmin(registry, token, { name, password: chosen })).rejects.toMatchObject({ code });
    expect(everything(registry)).toEqual(before);
    await addFirstAdmin(registry, token, { name: "ann", password });
  });
});

describe("RV-12: a link that is none", () => {
  test("after a day, or from a day to come", async () => {
    const registry = registryWith();
    const token = await tokenOf(registry);
    for (const moved of [day, -day]) {
      registry.clock.advance(moved);
      expect(await tried(registry, token)).toEqual(inVain);
      registry.clock.advance(-moved);
    }
    registry.clock.advance(day - 1);
    await addFirstAdmin(registry, token, { name: "ann", password });
  });

  test("of another store with the same key file, or of another key file", async () => {
    const registry = registryWith();
    const other = { ...registryWith(), keys: registry.keys, store: "fedcba9876543210" };
    expect(await tried(registry, await tokenOf(other))).toEqual(inVain);
    const foreign = { ...registryWith(), keys: loadKeys(createKeyFile(seededRandomness("foreign"))) };
    expect(await tried(registry, await tokenOf(foreign))).toEqual(inVain);
  });

  test("from before a rotation of the key file", async () => {
    const random = seededRandomness("rotated");
    const file = createKeyFile(random);
    const registry = registryWith();
    const token = await tokenOf({ ...registry, keys: loadKeys(file) });
    expect(await tried({ ...registry, keys: loadKeys(rotateKeyFile(file, random)) }, token)).toEqual(inVain);
  });

  test("made up, cut short, moved to another time, or a seal of something else", async () => {
    const registry = registryWith({ ben: "reader" });
    const token = await tokenOf(registry);
    const [issued = "", ...seal] = token.split(".");
    const odd = ["", ".", token.slice(1), token.slice(0, -1), `${token}x`, `${Number(issued) + 1}.${seal.join(".")}`];
    const bens = registry.kept.rows.users.get("ben")?.seal ?? "";
    for (const made of [...odd, `${issued}.${bens}`, `${issued}.`, "9".repeat(10_000), `${issued}.\0`])
      expect(await tried(registry, made)).toEqual(inVain);
  });

  test("T18: an admin that was written by hand is none: the link is printed, and works", async () => {
    const registry = registryWith({ eve: "reader" });
    const eve = registry.kept.rows.users.get("eve");
    if (eve !== undefined) registry.kept.rows.users.set("eve", { ...eve, role: "admin" });
    const made = await addFirstAdmin(registry, await tokenOf(registry), { name: "ann", password });
    expect(made.role).toBe("admin");
  });

  test("RV-12: the last admin cannot be disabled, so no link comes back", async () => {
    const registry = registryWith({ ann: "admin" });
    const root = { name: "machine:root", role: "admin", configurations: null } as const;
    await expect(disableUser(registry, allow(root), "ann")).rejects.toMatchObject({ code: "record.in-use" });
    expect(await firstAdminLink(registry, "http://localhost")).toBeNull();
  });
});
