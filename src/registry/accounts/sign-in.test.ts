import { beforeAll, describe, expect, test } from "vitest";
import { accountsWith, leaveUser } from "../../testing/memory-accounts.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { watchHashes } from "../../testing/watched-hashes.ts";
import { createKeyFile, loadKeys } from "../keys.ts";
import { addKey } from "./api-keys.ts";
import { hashPassword } from "./password.ts";
import type { UserRecord } from "./port.ts";
import type { Person, Role } from "./roles.ts";
import { sealUser } from "./seal.ts";
import { signIn } from "./sessions.ts";
import { disableUser, enableUser, listUsers, removeUser, resetPassword, setRole } from "./users.ts";
import { allow } from "../../../test/support/permits.ts";

const password = "correct horse battery staple";
const another = "another one entirely";
const root: Person = { name: "machine:root", role: "admin", configurations: null };
const wrong = { code: "auth.failed", message: "the name or the password is wrong" };
const foreign = loadKeys(createKeyFile(seededRandomness("foreign")));
let [hashed, known] = ["", ""];

beforeAll(async () => {
  hashed = await hashPassword(password, seededRandomness());
  known = await hashPassword(another, seededRandomness());
});

const registryWith = (users: Readonly<Record<string, Role>>) => accountsWith(users, hashed);
type Registry = ReturnType<typeof registryWith>;

function rowOf({ kept }: Registry, name: string): UserRecord {
  const user = kept.rows.users.get(name);
  if (user === undefined) throw new Error(`no row of ${name}`);
  return user;
}

const lastAudit = ({ kept }: Registry) => kept.rows.audit.at(-1);
const stateOf = async (registry: Registry, name: string) =>
  (await listUsers(registry, allow(root))).users.find((user) => user.name === name)?.state;

describe("T38: the same answer and the same work", () => {
  test("for an unknown user, a wrong password, a disabled user and a tampered row", async () => {
    const registry = registryWith({ ann: "admin", bob: "admin", eve: "reader" });
    await disableUser(registry, allow(root), "bob");
    registry.kept.rows.users.set("eve", { ...rowOf(registry, "eve"), role: "admin" });
    const tries: readonly [string, string][] = [
      ["nobody", password],
      ["No Name At All", password],
      ["ann", another],
      ["bob", password],
      ["eve", password],
    ];
    for (const [name, tried] of tries) {
      const watched = await watchHashes(() => expect(signIn(registry, name, tried)).rejects.toMatchObject(wrong));
      expect([name, watched.started]).toEqual([name, 1]);
    }
  });

  test("whoever is disabled, removed or given another password while the hash is made is not let in", async () => {
    const acts = [
      (registry: Registry) => disableUser(registry, allow(root), "ann"),
      (registry: Registry) => removeUser(registry, allow(root), "ann"),
      async (registry: Registry) => {
        const { seal: _, ...fields } = rowOf(registry, "ann");
        leaveUser(registry, { ...fields, password: `${hashed} replaced` });
      },
    ];
    for (const act of acts) {
      const registry = registryWith({ ann: "operator" });
      const signingIn = signIn(registry, "ann", password);
      await act(registry);
      await expect(signingIn).rejects.toMatchObject(wrong);
    }
  });
});

describe("T18: a row written by hand is nobody", () => {
  const edits: readonly [string, (registry: Registry) => UserRecord][] = [
    ["a role raised", (registry) => ({ ...rowOf(registry, "eve"), role: "admin" })],
    ["a password replaced by one that is known", (registry) => ({ ...rowOf(registry, "eve"), password: known })],
    ["the creation moved", (registry) => ({ ...rowOf(registry, "eve"), createdAt: 1 })],
    ["another row under this name", (registry) => ({ ...rowOf(registry, "ann"), name: "eve" })],
    ["the seal of another row", (registry) => ({ ...rowOf(registry, "eve"), seal: rowOf(registry, "ann").seal })],
    ["the seal of another key file", (registry) => sealUser(foreign, rowOf(registry, "eve"), 2)],
    ["no seal", (registry) => ({ ...rowOf(registry, "eve"), seal: "" })],
  ];

  test.each(edits)("%s: no sign-in, a finding, no change but removal", async (_what, edit) => {
    const registry = registryWith({ ann: "admin", eve: "reader" });
    const forged = edit(registry);
    registry.kept.rows.users.set("eve", forged);
    for (const tried of [password, another]) await expect(signIn(registry, "eve", tried)).rejects.toMatchObject(wrong);
    expect((await listUsers(registry, allow(root))).findings).toEqual([
      {
        code: "account.tampered",
        level: "high",
        message: expect.stringContaining('the record of user "eve" was written or changed outside Skillward'),
        at: { file: "users/eve", line: 1 },
      },
    ]);
    expect(await stateOf(registry, "eve")).toBe("tampered");
    for (const act of [disableUser, enableUser]) {
      await expect(act(registry, allow(root), "eve")).rejects.toMatchObject({ code: "store.failed" });
    }
    await expect(setRole(registry, allow(root), "eve", "reader")).rejects.toMatchObject({ code: "store.failed" });
    await expect(addKey(registry, allow(root), { name: "k", role: "reader", user: "eve" })).rejects.toMatchObject({
      code: "record.missing",
    });
    expect(rowOf(registry, "eve")).toEqual(forged);
    await removeUser(registry, allow(root), "eve");
    expect(await stateOf(registry, "eve")).toBeUndefined();
    expect(lastAudit(registry)?.details).toContain('"state":"tampered"');
  });

  test("a password reset does not make a forged row a true one", async () => {
    const registry = registryWith({ eve: "reader" });
    registry.kept.rows.users.set("eve", { ...rowOf(registry, "eve"), role: "admin" });
    await expect(resetPassword(registry, allow(root), "eve", another)).rejects.toMatchObject({ code: "store.failed" });
    await expect(signIn(registry, "eve", another)).rejects.toMatchObject(wrong);
  });

  test("a disabled user whom the row enables stays out, and two rows swapped are nobody", async () => {
    const registry = registryWith({ ann: "admin", bob: "reader", eve: "reader" });
    await disableUser(registry, allow(root), "eve");
    registry.kept.rows.users.set("eve", { ...rowOf(registry, "eve"), disabledAt: null });
    const [ann, bob] = [rowOf(registry, "ann"), rowOf(registry, "bob")];
    registry.kept.rows.users.set("ann", { ...bob, name: "ann" }).set("bob", { ...ann, name: "bob" });
    for (const name of ["ann", "bob", "eve"])
      await expect(signIn(registry, name, password)).rejects.toMatchObject(wrong);
    expect((await listUsers(registry, allow(root))).findings).toHaveLength(3);
  });
});
