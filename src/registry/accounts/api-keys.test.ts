import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { accountsWith, withFullAudit } from "../../testing/memory-accounts.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { createKeyFile, loadKeys } from "../keys.ts";
import { addKey, listKeys, type NewKey, revokeKey } from "./api-keys.ts";
import { authenticate } from "./authenticate.ts";
import type { KeyRecord } from "./port.ts";
import { type Person, type Role, roles } from "./roles.ts";
import { sealKey } from "./seal.ts";
import { disableUser, enableUser, removeUser, setRole } from "./users.ts";
import { allow } from "../../../test/support/permits.ts";

const root: Person = { name: "machine:root", role: "admin", configurations: null };
const wrong = { code: "auth.failed", message: "the API key is not valid" };

const registryWith = (users: Readonly<Record<string, Role>> = {}) => accountsWith(users);
type Registry = ReturnType<typeof registryWith>;

function rowOf({ kept }: Registry, id: string): KeyRecord {
  const key = kept.rows.keys.get(id);
  if (key === undefined) throw new Error(`no row of ${id}`);
  return key;
}

const lastAudit = ({ kept }: Registry) => kept.rows.audit.at(-1);

describe("RV-12: an API key", () => {
  test("is shown once and stands for itself", async () => {
    const registry = registryWith();
    const { record, text } = await addKey(registry, allow(root), {
      name: "ci",
      role: "operator",
      configurations: ["a", "a"],
    });
    expect(text).toMatch(/^skw_[0-9a-f]{16}_[\w-]{43}$/);
    expect(record).toEqual({
      id: text.split("_")[1],
      name: "ci",
      role: "operator",
      user: null,
      configurations: ["a"],
      createdAt: 1000,
      revokedAt: null,
      state: "active",
    });
    expect(await authenticate(registry, text)).toEqual({ name: "key:ci", role: "operator", configurations: ["a"] });
    expect(await listKeys(registry, allow(root))).toEqual({ keys: [record], findings: [] });
    expect(lastAudit(registry)).toMatchObject({ by: "machine:root", act: "key.added", subject: record.id, at: 1000 });
    expect(JSON.parse(lastAudit(registry)?.details ?? "")).toEqual({
      name: "ci",
      role: "operator",
      user: null,
      configurations: ["a"],
      seal: 2,
    });
  });

  test.each<[Role, Role, Role]>([
    ["admin", "reader", "reader"],
    ["reader", "admin", "reader"],
    ["operator", "admin", "operator"],
    ["operator", "reviewer", "reader"],
    ["reviewer", "reviewer", "reviewer"],
  ])("of %s for a user who is %s acts as that user, as %s", async (role, users, expected) => {
    const registry = registryWith({ ann: users });
    const { text } = await addKey(registry, allow(root), { name: "laptop", role, user: "ann" });
    expect(await authenticate(registry, text)).toEqual({ name: "ann", role: expected, configurations: null });
  });

  test("follows its user: demoted, disabled, enabled, removed", async () => {
    const registry = registryWith({ ann: "admin", bob: "admin" });
    const { text } = await addKey(registry, allow(root), { name: "laptop", role: "admin", user: "ann" });
    await setRole(registry, allow(root), "ann", "reader");
    expect(await authenticate(registry, text)).toMatchObject({ role: "reader" });
    await disableUser(registry, allow(root), "ann");
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
    await enableUser(registry, allow(root), "ann");
    expect(await authenticate(registry, text)).toMatchObject({ name: "ann" });
    await removeUser(registry, allow(root), "ann");
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
  });

  test("whose user is gone, or whose user's row was tampered with, is none", async () => {
    const registry = registryWith({ ann: "reader" });
    const { text } = await addKey(registry, allow(root), { name: "laptop", role: "admin", user: "ann" });
    const ann = registry.kept.rows.users.get("ann");
    if (ann === undefined) throw new Error("no row");
    registry.kept.rows.users.set("ann", { ...ann, role: "admin" });
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
    registry.kept.rows.users.delete("ann");
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
  });

  test("is revoked for good, once", async () => {
    const registry = registryWith();
    const { record, text } = await addKey(registry, allow(root), { name: "ci", role: "reader" });
    registry.clock.advance(5);
    const revoked = await revokeKey(registry, allow(root), record.id);
    expect(revoked).toEqual({ ...record, revokedAt: 1005, state: "revoked" });
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
    registry.clock.advance(5);
    expect(await revokeKey(registry, allow(root), record.id)).toEqual(revoked);
    expect(registry.kept.rows.audit.map(({ act }) => act)).toEqual(["key.added", "key.revoked"]);
  });

  test("its name can be taken again once it is revoked, not before", async () => {
    const registry = registryWith();
    const { record } = await addKey(registry, allow(root), { name: "ci", role: "reader" });
    await expect(addKey(registry, allow(root), { name: "ci", role: "admin" })).rejects.toMatchObject({
      code: "record.exists",
    });
    await revokeKey(registry, allow(root), record.id);
    expect((await addKey(registry, allow(root), { name: "ci", role: "reader" })).record.state).toBe("active");
  });

  test.each<[string, NewKey, string]>([
    ["a name that is none", { name: "key:ci", role: "reader" }, "usage.invalid"],
    ["a role that is none", { name: "ci", role: "king" }, "usage.invalid"],
    ["a limited admin", { name: "ci", role: "admin", configurations: ["a"] }, "usage.invalid"],
    ["a limited reviewer", { name: "ci", role: "reviewer", configurations: ["a"] }, "usage.invalid"],
    ["a limit to nothing", { name: "ci", role: "reader", configurations: [] }, "usage.invalid"],
    ["a user who is not there", { name: "ci", role: "reader", user: "nobody" }, "record.missing"],
  ])("%s: refused, nothing written", async (_what, wanted, code) => {
    const registry = registryWith();
    await expect(addKey(registry, allow(root), wanted)).rejects.toMatchObject({ code });
    expect(registry.kept.rows).toMatchObject({ keys: new Map(), audit: [], generation: 0 });
  });

  test("one that is not there cannot be revoked", async () => {
    await expect(revokeKey(registryWith(), allow(root), "\u202Ex")).rejects.toMatchObject({
      code: "record.missing",
      message: 'there is no key "\\u{202e}x"; `skillward key list` shows all',
    });
  });

  test("RV-8: a key that cannot be recorded is not made", async () => {
    const registry = registryWith();
    const full = { ...registry, kept: withFullAudit(registry.kept) };
    await expect(addKey(full, allow(root), { name: "ci", role: "reader" })).rejects.toThrow("the disk is full");
    expect(registry.kept.rows.keys.size).toBe(0);
  });

  test.each(roles.filter((role) => role !== "admin"))("a %s makes, revokes and lists none", async (role) => {
    const registry = registryWith();
    const { record } = await addKey(registry, allow(root), { name: "ci", role: "reader" });
    const before = structuredClone(registry.kept.rows);
    const by: Person = { name: "eve", role, configurations: null };
    const acts = [
      async () => addKey(registry, allow(by), { name: "Not A Name", role: "king" }),
      async () => revokeKey(registry, allow(by), record.id),
      async () => listKeys(registry, allow(by)),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(registry.kept.rows).toEqual(before);
  });
});

describe("RV-12: what is no key", () => {
  test("one character more, less or other is answered like any other text", async () => {
    const registry = registryWith();
    const { text } = await addKey(registry, allow(root), { name: "ci", role: "reader" });
    const other = (char: string | undefined) => (char === "A" ? "B" : "A");
    const texts = ["", " ", "skw_", text.slice(0, -1), `${text}A`, ` ${text}`, `${text}\n`, text.toUpperCase()];
    const swapped = [text.slice(0, -1) + other(text.at(-1)), text.replace("skw", "sk")];
    for (const tried of [...texts, ...swapped, `skw_${"0".repeat(16)}_${text.slice(-43)}`, "a".repeat(1_000_000)])
      await expect(authenticate(registry, tried)).rejects.toMatchObject(wrong);
    expect(await authenticate(registry, text)).toMatchObject({ name: "key:ci" });
  });

  test("the secret of one key does not open another", async () => {
    const registry = registryWith();
    const one = await addKey(registry, allow(root), { name: "one", role: "reader" });
    const two = await addKey(registry, allow(root), { name: "two", role: "admin" });
    const mixed = `skw_${two.record.id}_${one.text.slice(-43)}`;
    await expect(authenticate(registry, mixed)).rejects.toMatchObject(wrong);
  });
});

describe("T40: a dump holds no usable key", () => {
  test("neither the text nor the secret in any form is in a row, and nothing in a row opens one", async () => {
    const registry = registryWith({ ann: "admin" });
    const made = [
      await addKey(registry, allow(root), { name: "ci", role: "admin" }),
      await addKey(registry, allow(root), { name: "laptop", role: "admin", user: "ann" }),
    ];
    const { users, keys, audit } = registry.kept.rows;
    const rows = [...users.values(), ...keys.values(), ...audit];
    const dump = JSON.stringify(rows);
    for (const { text } of made) {
      const secret = Buffer.from(text.slice(-43), "base64url");
      for (const form of [text, text.slice(-43), secret.toString("hex"), secret.toString("base64")])
        expect(dump).not.toContain(form);
    }
    const words = rows.flatMap((row) => Object.values(row).map(String));
    for (const { record } of made)
      for (const word of words)
        for (const tried of [word, `skw_${record.id}_${word}`, `skw_${record.id}_${asSecret(word)}`])
          await expect(authenticate(registry, tried)).rejects.toMatchObject(wrong);
  });

  /** A hash as bytes, in the form of a secret. */
  const asSecret = (word: string) => Buffer.from(word, "hex").toString("base64url");
});

describe("T18: a row written by hand opens nothing", () => {
  const secret = "A".repeat(43);
  const forged: KeyRecord = {
    id: "0123456789abcdef",
    name: "eve",
    role: "admin",
    user: null,
    configurations: null,
    hash: createHash("sha256").update(secret).digest("hex"),
    createdAt: 1,
    revokedAt: null,
    seal: "",
  };
  const text = `skw_${forged.id}_${secret}`;

  test("inserted, with a secret that the writer knows", async () => {
    const registry = registryWith();
    const { record } = await addKey(registry, allow(root), { name: "ci", role: "reader" });
    const foreign = loadKeys(createKeyFile(seededRandomness("foreign")));
    const seals = [
      "",
      ".",
      "x.y",
      rowOf(registry, record.id).seal,
      sealKey(foreign, forged, 1).seal,
      sealKey(foreign, forged, null).seal,
    ];
    for (const seal of seals) {
      registry.kept.rows.keys.set(forged.id, { ...forged, seal });
      await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
    }
    // Not even with the key file: nobody has said that there is such a key.
    registry.kept.rows.keys.set(forged.id, sealKey(registry.keys, forged, null));
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
  });

  test("edited in any one field: the key that it was is none any more", async () => {
    const registry = registryWith({ ann: "admin" });
    const made = await addKey(registry, allow(root), { name: "ci", role: "reader", configurations: ["a"] });
    const row = rowOf(registry, made.record.id);
    const edits: readonly Partial<KeyRecord>[] = [
      ...roles.filter((role) => role !== "reader").map((role) => ({ role })),
      { name: "other" },
      { user: "ann" },
      { configurations: null },
      { configurations: ["a", "b"] },
      { configurations: [] },
      { createdAt: 1 },
      { hash: forged.hash },
      { revokedAt: 5 },
    ];
    for (const edit of edits) {
      registry.kept.rows.keys.set(row.id, { ...row, ...edit });
      for (const tried of [made.text, `skw_${row.id}_${secret}`])
        await expect(authenticate(registry, tried)).rejects.toMatchObject(wrong);
    }
  });

  test("a revoked key whose row says it is not stays revoked", async () => {
    const registry = registryWith();
    const made = await addKey(registry, allow(root), { name: "ci", role: "reader" });
    await revokeKey(registry, allow(root), made.record.id);
    registry.kept.rows.keys.set(made.record.id, { ...rowOf(registry, made.record.id), revokedAt: null });
    await expect(authenticate(registry, made.text)).rejects.toMatchObject(wrong);
  });

  test("two rows swapped, whole or without their seals", async () => {
    const registry = registryWith();
    const one = await addKey(registry, allow(root), { name: "one", role: "reader" });
    const two = await addKey(registry, allow(root), { name: "two", role: "admin" });
    const [first, second] = [rowOf(registry, one.record.id), rowOf(registry, two.record.id)];
    const swaps = [
      [
        { ...second, id: first.id },
        { ...first, id: second.id },
      ],
      [
        { ...second, id: first.id, hash: first.hash },
        { ...first, id: second.id, hash: second.hash },
      ],
      [
        { ...first, seal: second.seal },
        { ...second, seal: first.seal },
      ],
    ] as const;
    for (const [a, b] of swaps) {
      registry.kept.rows.keys.set(a.id, a).set(b.id, b);
      for (const tried of [one.text, two.text, `skw_${first.id}_${two.text.slice(-43)}`])
        await expect(authenticate(registry, tried)).rejects.toMatchObject(wrong);
      expect((await listKeys(registry, allow(root))).findings).toHaveLength(2);
    }
  });

  test("it is listed with a finding, keeps nobody from a name, and can be revoked", async () => {
    const registry = registryWith();
    registry.kept.rows.keys.set(forged.id, forged);
    const { keys, findings } = await listKeys(registry, allow(root));
    expect(keys).toMatchObject([{ id: forged.id, state: "tampered" }]);
    expect(JSON.stringify(keys)).not.toContain(forged.hash);
    expect(findings).toEqual([
      {
        code: "account.tampered",
        level: "high",
        message: expect.stringContaining(`the record of key "${forged.id}" was written or changed outside Skillward`),
        at: { file: `keys/${forged.id}`, line: 1 },
      },
    ]);
    await addKey(registry, allow(root), { name: "eve", role: "reader" });
    expect(await revokeKey(registry, allow(root), forged.id)).toMatchObject({ state: "revoked" });
    expect(lastAudit(registry)).toMatchObject({
      act: "key.revoked",
      details: '{"name":"eve","seal":2,"was":"tampered"}',
    });
    await expect(authenticate(registry, text)).rejects.toMatchObject(wrong);
    expect((await listKeys(registry, allow(root))).findings).toEqual([]);
  });
});
