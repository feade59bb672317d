import { beforeAll, describe, expect, test } from "vitest";
import { type Accounts, accountsWith } from "../../testing/memory-accounts.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { type AuditAct, recordEvents } from "../audit/audit.ts";
import { AccountHistory } from "./account-history.ts";
import { addKey, listKeys, revokeKey } from "./api-keys.ts";
import { authenticate } from "./authenticate.ts";
import { hashPassword } from "./password.ts";
import type { KeyRecord, UserRecord } from "./port.ts";
import type { Person } from "./roles.ts";
import { sealKey, sealUser } from "./seal.ts";
import { signIn } from "./sessions.ts";
import { listUsers, setRole } from "./users.ts";
import { allow } from "../../../test/support/permits.ts";

const password = "correct horse battery staple";
const root: Person = { name: "machine:root", role: "admin", configurations: null };
const refused = { code: "auth.failed" };
let hashed = "";

beforeAll(async () => {
  hashed = await hashPassword(password, seededRandomness());
});

/** Another process over the same rows. */
const anew = (accounts: Accounts): Accounts => ({ ...accounts, history: new AccountHistory() });

/** A record that a hand appends, with what it takes but the key file. */
function append({ kept }: Accounts, act: AuditAct, subject: string, details: object = {}): Promise<void> {
  const event = { at: 1000, by: "root", act, subject, details: { ...details } };
  return kept.transaction((port) => recordEvents(port, [event]));
}

/** A user as versions left them whose seals did not name the act. */
async function leaveOlder(accounts: Accounts, name: string, role: string): Promise<UserRecord> {
  const user = { name, role, password: hashed, createdAt: 1000, disabledAt: null };
  const row = sealUser(accounts.keys, user, null);
  accounts.kept.rows.users.set(name, row);
  await append(accounts, "user.added", name, { role });
  return row;
}

const userRow = ({ kept }: Accounts, name: string): UserRecord => {
  const row = kept.rows.users.get(name);
  if (row === undefined) throw new Error(`no row of ${name}`);
  return row;
};
const keyRow = ({ kept }: Accounts, id: string): KeyRecord => {
  const row = kept.rows.keys.get(id);
  if (row === undefined) throw new Error(`no row of ${id}`);
  return row;
};
const userStates = async (accounts: Accounts) =>
  (await listUsers(accounts, allow(root))).users.map(({ state }) => state);

describe("T18: what the chain said last", () => {
  test("of a key is not undone by an appended record: neither an older kind nor a copy of the one that added it", async () => {
    const accounts = accountsWith({});
    const { record, text } = await addKey(accounts, allow(root), { name: "ci", role: "admin" });
    const row = keyRow(accounts, record.id);
    const added = accounts.kept.rows.audit.at(-1);
    await revokeKey(accounts, allow(root), record.id);
    accounts.kept.rows.keys.set(row.id, row);
    const details = JSON.parse(added?.details ?? "");
    for (const appended of [details, { ...details, seal: undefined }]) {
      await append(accounts, "key.added", row.id, appended);
      for (const each of [accounts, anew(accounts)])
        await expect(authenticate(each, text)).rejects.toMatchObject(refused);
    }
    expect((await listKeys(anew(accounts), allow(root))).keys).toMatchObject([{ state: "tampered" }]);
  });

  test("counts for rows from before seals named an act: role, state and whether there is one", async () => {
    const accounts = accountsWith({});
    const ann = await leaveOlder(accounts, "ann", "admin");
    expect(await signIn(accounts, "ann", password)).toMatchObject({ role: "admin" });
    const key = { name: "ci", role: "reader", user: null, configurations: null, hash: "", createdAt: 1000 };
    accounts.kept.rows.keys.set("1", sealKey(accounts.keys, { ...key, id: "1", revokedAt: null }, null));
    await append(accounts, "key.added", "1", { role: "reader" });
    expect((await listKeys(accounts, allow(root))).keys).toMatchObject([{ state: "active" }]);
    await append(accounts, "key.revoked", "1");
    expect((await listKeys(accounts, allow(root))).keys).toMatchObject([{ state: "tampered" }]);
    for (const [act, details] of [
      ["user.changed", { role: { from: "admin", to: "reader" } }],
      ["user.changed", { state: "disabled" }],
      ["user.removed", {}],
    ] as const) {
      const other = accountsWith({});
      await leaveOlder(other, "ann", "admin");
      await append(other, act, "ann", details);
      expect(await userStates(other)).toEqual(["tampered"]);
      await expect(signIn(other, "ann", password)).rejects.toMatchObject(refused);
    }
    expect(userRow(accounts, "ann")).toEqual(ann);
  });

  test("of an older row is the new one from its next change on, and the older one is nobody", async () => {
    const accounts = accountsWith({});
    const older = await leaveOlder(accounts, "ann", "reader");
    await setRole(accounts, allow(root), "ann", "operator");
    await setRole(accounts, allow(root), "ann", "reader");
    expect(await userStates(accounts)).toEqual(["enabled"]);
    accounts.kept.rows.users.set("ann", older);
    for (const each of [accounts, anew(accounts)]) expect(await userStates(each)).toEqual(["tampered"]);
    await append(accounts, "user.added", "ann", { role: "reader" });
    for (const each of [accounts, anew(accounts)]) expect(await userStates(each)).toEqual(["tampered"]);
  });

  test("is asked again when somebody changed the row between reading it and asking", async () => {
    const accounts = accountsWith({ ann: "admin", bob: "operator" }, hashed);
    const { text } = await addKey(accounts, allow(root), { name: "bobs", role: "operator", user: "bob" });
    let changes = 3;
    const findUser: Accounts["kept"]["read"]["findUser"] = async (name) => {
      const row = accounts.kept.rows.users.get(name);
      if (changes-- > 0) await setRole(accounts, allow(root), "bob", changes % 2 === 0 ? "reader" : "operator");
      return row;
    };
    const read = { ...accounts.kept.read, findUser };
    const racing = { ...accounts, kept: { ...accounts.kept, read } };
    expect(await authenticate(racing, text)).toMatchObject({ name: "bob", role: "reader" });
    expect(changes).toBe(-1);
  });

  test("is read once, then only what is new, however many ask at once", async () => {
    const accounts = accountsWith({ ann: "admin", bob: "reader" }, hashed);
    const { text } = await addKey(accounts, allow(root), { name: "bobs", role: "admin", user: "bob" });
    const asked: (number | undefined)[] = [];
    const findAudit: Accounts["kept"]["read"]["findAudit"] = (wanted) => {
      asked.push(wanted.after);
      return accounts.kept.read.findAudit(wanted);
    };
    const node = { ...anew(accounts), kept: { ...accounts.kept, read: { ...accounts.kept.read, findAudit } } };
    await Promise.all(Array.from({ length: 20 }, () => authenticate(node, text)));
    // A page, and the end of it.
    expect(asked).toEqual([0, 3]);
    await append(accounts, "evaluation.kept", "x");
    await authenticate(node, text);
    await authenticate(node, text);
    expect(asked).toEqual([0, 3, 3]);
    await setRole(accounts, allow(root), "bob", "operator");
    expect(await authenticate(node, text)).toMatchObject({ role: "operator" });
    expect(asked.slice(3)).toEqual([4, 5]);
  });
});
