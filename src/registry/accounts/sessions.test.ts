import { beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import { accountsWith, leaveUser, sessionRow, userRow } from "../../testing/memory-accounts.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { createKeyFile, loadKeys, rotateKeyFile } from "../keys.ts";
import { hashPassword } from "./password.ts";
import type { SessionRecord } from "./port.ts";
import type { Person, Role } from "./roles.ts";
import { closeSession, lookAtSession, openSession, openWithPassword, touchSession } from "./sessions.ts";
import { changeOwnPassword, disableUser, enableUser, removeUser, resetPassword, setRole } from "./users.ts";
import { allow } from "../../../test/support/permits.ts";

const password = "correct horse battery staple";
const another = "another one entirely";
const root: Person = { name: "machine:root", role: "admin", configurations: null };
const wrong = { code: "auth.failed", message: "the name or the password is wrong" };
const [second, minute, hour] = [1000, 60_000, 3_600_000];
let hashed = "";

beforeAll(async () => {
  hashed = await hashPassword(password, seededRandomness());
});

const registryWith = (users: Readonly<Record<string, Role>> = { ann: "operator", bob: "admin" }) =>
  accountsWith(users, hashed);
type Registry = ReturnType<typeof registryWith>;

/** As whoever uses it does; what is written down for that is waited for here. */
async function findSession(registry: Parameters<typeof lookAtSession>[0], secret: string) {
  const found = await lookAtSession(registry, secret);
  if (found?.isDue === true) await touchSession(registry, secret);
  return found;
}

/** All that is kept, as it stands now. */
const everything = ({ kept }: Registry) => structuredClone(kept.rows);
const ann = { name: "ann", role: "operator", configurations: null };

describe("T37: being signed in", () => {
  test("whoever knows the password gets a secret of 256 bits, of which the store has a hash alone", async () => {
    const registry = registryWith();
    const secret = await openWithPassword(registry, "ann", password);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(await findSession(registry, secret)).toEqual({
      person: ann,
      way: "password",
      createdAt: 1000,
      isDue: false,
    });
    expect(sessionRow(registry, secret)).toMatchObject({ user: "ann", way: "password", createdAt: 1000, seenAt: 1000 });
    expect(JSON.stringify([...registry.kept.rows.sessions, registry.kept.rows.audit])).not.toContain(secret);
    expect(await openWithPassword(registry, "ann", password)).not.toBe(secret);
  });

  test("RV-8: signing in and out is in the audit, without a secret and without a new generation", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "oidc");
    registry.clock.advance(second);
    await closeSession(registry, secret);
    expect(registry.kept.rows.audit.slice(-2)).toMatchObject([
      { at: 1000, by: "ann", act: "session.opened", subject: "ann", details: '{"way":"oidc"}' },
      { at: 2000, by: "ann", act: "session.closed", subject: "ann", details: '{"way":"oidc"}' },
    ]);
    expect(registry.kept.rows.generation).toBe(0);
  });

  test("a wrong secret, an odd one and the hash itself are nobody's", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    for (const tried of [
      "",
      "\0",
      "x".repeat(10_000),
      secret.slice(1),
      `${secret}=`,
      sessionRow(registry, secret).hash,
    ])
      expect([tried, await findSession(registry, tried)]).toEqual([tried, undefined]);
  });

  test("T38: whoever is unknown, disabled or written by hand is not signed in by any way", async () => {
    const registry = registryWith({ ann: "reader", bob: "reader", eve: "reader", root: "admin" });
    await disableUser(registry, allow(root), "bob");
    registry.kept.rows.users.set("eve", { ...userRow(registry, "eve"), role: "admin" });
    const before = everything(registry);
    for (const name of ["bob", "eve", "nobody", "Not A Name", "\0", ""]) {
      await expect(openSession(registry, name, "oidc")).rejects.toMatchObject(wrong);
      await expect(openWithPassword(registry, name, password)).rejects.toMatchObject(wrong);
    }
    await expect(openWithPassword(registry, "ann", another)).rejects.toMatchObject(wrong);
    expect(everything(registry)).toEqual(before);
  });

  test("a password that is replaced between the check and the session opens none", async () => {
    const registry = registryWith();
    // As late as it can be: the password was right, and the transaction is about to begin.
    const late: Registry["kept"]["transaction"] = async (act) => {
      const { seal: _, ...fields } = userRow(registry, "ann");
      leaveUser(registry, { ...fields, password: `${hashed} replaced` });
      return registry.kept.transaction(act);
    };
    const opening = openWithPassword({ ...registry, kept: { ...registry.kept, transaction: late } }, "ann", password);
    await expect(opening).rejects.toMatchObject(wrong);
    expect(registry.kept.rows.sessions.size).toBe(0);
  });
});

describe("T37: how long it lasts", () => {
  test.each([
    [30 * minute - 1, true],
    [30 * minute, false],
  ])("left alone for %s ms, it is there: %s", async (time, isThere) => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    registry.clock.advance(time);
    expect((await findSession(registry, secret)) !== undefined).toBe(isThere);
  });

  test("used again and again it ends after 12 hours", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    for (let passed = 0; passed < 12 * hour - 20 * minute; passed += 20 * minute) {
      registry.clock.advance(20 * minute);
      expect(await findSession(registry, secret)).toBeDefined();
    }
    registry.clock.advance(20 * minute - 1);
    expect(await findSession(registry, secret)).toBeDefined();
    registry.clock.advance(1);
    expect(await findSession(registry, secret)).toBeUndefined();
  });

  test("that it was used is written down once a minute, without an audit record or a generation", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    const { audit, generation } = everything(registry);
    const seen: number[] = [];
    for (let step = 0; step < 7; step++) {
      registry.clock.advance(20 * second);
      await Promise.all([findSession(registry, secret), findSession(registry, secret)]);
      seen.push(sessionRow(registry, secret).seenAt - 1000);
    }
    expect(seen).toEqual([0, 0, minute, minute, minute, 2 * minute, 2 * minute]);
    expect(everything(registry)).toMatchObject({ audit, generation });
  });

  test("in between nobody waits for the writer, and of many at once one writes", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    let [transactions, written] = [0, 0];
    const transaction: Registry["kept"]["transaction"] = (act) => {
      transactions++;
      return registry.kept.transaction((port) => {
        const putSession = (session: SessionRecord) => (written++, port.putSession(session));
        return act({ ...port, putSession });
      });
    };
    const counted = { ...registry, kept: { ...registry.kept, transaction } };
    registry.clock.advance(minute - 1);
    await findSession(counted, secret);
    expect([transactions, written]).toEqual([0, 0]);
    registry.clock.advance(1);
    await Promise.all(Array.from({ length: 5 }, () => findSession(counted, secret)));
    expect(written).toBe(1);
  });

  test("whoever only looks does not make it last", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    const before = everything(registry);
    registry.clock.advance(29 * minute);
    expect(await lookAtSession(registry, secret)).toMatchObject({ person: ann });
    registry.clock.advance(minute);
    expect(await lookAtSession(registry, secret)).toBeUndefined();
    expect(everything(registry)).toEqual(before);
  });

  test("written by a clock that ran ahead, it lasts no longer for that", async () => {
    const registry = registryWith();
    registry.clock.advance(1000 * hour);
    const secret = await openSession(registry, "ann", "password");
    registry.clock.advance(-1000 * hour);
    expect(await findSession(registry, secret)).toBeUndefined();
    registry.clock.advance(1000 * hour - minute);
    expect(await findSession(registry, secret)).toBeDefined();
  });

  test("what has ended is removed when somebody signs in, and nothing else is", async () => {
    const registry = registryWith();
    const old = await openSession(registry, "ann", "password");
    const used = await openSession(registry, "bob", "password");
    registry.clock.advance(29 * minute);
    await findSession(registry, used);
    registry.clock.advance(2 * minute);
    const fresh = await openSession(registry, "ann", "password");
    const { sessions } = registry.kept.rows;
    const kept = [old, used, fresh].map((secret) => sessions.has(sha256(Buffer.from(secret))));
    expect(kept).toEqual([false, true, true]);
  });
});

describe("T37: what ends it at once", () => {
  test("signing out, and only that one; signing out twice changes nothing", async () => {
    const registry = registryWith();
    const [secret, other] = [
      await openSession(registry, "ann", "password"),
      await openSession(registry, "ann", "oidc"),
    ];
    await closeSession(registry, secret);
    const before = everything(registry);
    for (const tried of [secret, "", "x"]) await closeSession(registry, tried);
    expect(await findSession(registry, secret)).toBeUndefined();
    expect(await findSession(registry, other)).toBeDefined();
    expect(everything(registry)).toEqual(before);
  });

  test.each<[what: string, act: (registry: Registry) => Promise<unknown>]>([
    ["disabling", (registry) => disableUser(registry, allow(root), "ann")],
    ["removing", (registry) => removeUser(registry, allow(root), "ann")],
    ["a password that an admin set", (registry) => resetPassword(registry, allow(root), "ann", another)],
    [
      "a password that they chose",
      (registry) => changeOwnPassword(registry, { ...ann, role: "operator" }, { current: password, chosen: another }),
    ],
  ])("%s, of this user alone, also where its row is put back", async (_what, act) => {
    const registry = registryWith();
    const secrets = [await openSession(registry, "ann", "password"), await openSession(registry, "ann", "proxy")];
    const bobs = await openSession(registry, "bob", "password");
    const rows = new Map(registry.kept.rows.sessions);
    await act(registry);
    for (const secret of secrets) expect(await findSession(registry, secret)).toBeUndefined();
    expect(registry.kept.rows.sessions.size).toBe(1);
    registry.kept.rows.sessions = rows;
    for (const secret of secrets) expect(await findSession(registry, secret)).toBeUndefined();
    expect(await findSession(registry, bobs)).toBeDefined();
  });

  test("whoever is enabled again signs in again; another user of that name is somebody else", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    const row = sessionRow(registry, secret);
    await disableUser(registry, allow(root), "ann");
    await enableUser(registry, allow(root), "ann");
    expect(await findSession(registry, secret)).toBeUndefined();
    await removeUser(registry, allow(root), "ann");
    const again = { name: "ann", role: "admin", password: hashed, createdAt: 2000, disabledAt: null };
    leaveUser(registry, again);
    registry.kept.rows.sessions.set(row.hash, row);
    expect(await findSession(registry, secret)).toBeUndefined();
  });

  test("RV-12: a role that was changed holds in the session that is open", async () => {
    const registry = registryWith();
    const secret = await openSession(registry, "ann", "password");
    await setRole(registry, allow(root), "ann", "reader");
    expect(await findSession(registry, secret)).toMatchObject({ person: { name: "ann", role: "reader" } });
  });

  test("T40: a rotation of the key file", async () => {
    const registry = registryWith();
    const random = seededRandomness("rotated");
    const file = createKeyFile(random);
    const before = { ...registry, keys: loadKeys(file) };
    const after = { ...registry, keys: loadKeys(rotateKeyFile(file, random)) };
    leaveUser(before, userRow(registry, "ann"));
    const secret = await openSession(before, "ann", "password");
    expect(await findSession(before, secret)).toBeDefined();
    expect(await findSession(after, secret)).toBeUndefined();
  });
});
