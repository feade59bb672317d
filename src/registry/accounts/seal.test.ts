import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { createKeyFile, isSealed, loadKeys, rotateKeyFile } from "../keys.ts";
import type { AccountWord } from "./account-history.ts";
import type { KeyRecord, SessionRecord, UserRecord } from "./port.ts";
import { isIntactKey, isIntactSession, isIntactUser, sealKey, sealSession, sealUser } from "./seal.ts";

const random = seededRandomness();
const file = createKeyFile(random);
const keys = loadKeys(file);
const seq = 7;
const word: AccountWord = { seq, at: 1, isNamed: true, said: { since: 0, role: undefined, isOff: false } };

const moment = fc.option(fc.nat());
const user = fc.record({
  name: fc.string(),
  role: fc.string(),
  password: fc.string(),
  createdAt: fc.nat(),
  disabledAt: moment,
});
const key = fc.record({
  id: fc.string(),
  name: fc.string(),
  role: fc.string(),
  user: fc.option(fc.string()),
  configurations: fc.option(fc.array(fc.string())),
  hash: fc.string(),
  createdAt: fc.nat(),
  revokedAt: moment,
});

const session = fc.record({
  hash: fc.string(),
  user: fc.string(),
  way: fc.string(),
  createdAt: fc.nat(),
  seenAt: fc.nat(),
});

describe("T18: a seal", () => {
  test("of a user holds every field", () => {
    const fields = ["name", "role", "password", "createdAt", "disabledAt"] as const;
    fc.assert(
      fc.property(user, user, fc.constantFrom(...fields), (one, other, field) => {
        const sealed = sealUser(keys, one, seq);
        const edited: UserRecord = { ...sealed, [field]: other[field] };
        expect(isIntactUser(keys, sealed, word)).toBe(true);
        expect(isIntactUser(keys, edited, word)).toBe(other[field] === one[field]);
      }),
    );
  });

  test("of a key holds every field", () => {
    const fields = ["id", "name", "role", "user", "configurations", "hash", "createdAt", "revokedAt"] as const;
    fc.assert(
      fc.property(key, key, fc.constantFrom(...fields), (one, other, field) => {
        const sealed = sealKey(keys, one, seq);
        const edited: KeyRecord = { ...sealed, [field]: other[field] };
        expect(isIntactKey(keys, sealed, word)).toBe(true);
        expect(isIntactKey(keys, edited, word)).toBe(JSON.stringify(other[field]) === JSON.stringify(one[field]));
      }),
    );
  });

  test("of a session holds every field, and the password of its user", () => {
    const fields = ["hash", "user", "way", "createdAt", "seenAt"] as const;
    fc.assert(
      fc.property(session, session, user, user, fc.constantFrom(...fields), (one, other, owner, stranger, field) => {
        const [of, by] = [sealUser(keys, owner, seq), sealUser(keys, stranger, seq)];
        const sealed = sealSession(keys, one, of);
        const edited: SessionRecord = { ...sealed, [field]: other[field] };
        expect(isIntactSession(keys, sealed, of)).toBe(true);
        expect(isIntactSession(keys, edited, of)).toBe(other[field] === one[field]);
        const isSame = owner.password === stranger.password && owner.createdAt === stranger.createdAt;
        expect(isIntactSession(keys, sealed, by)).toBe(isSame);
        expect(isIntactSession(keys, sealed, { ...of, role: "admin", disabledAt: 1 })).toBe(true);
      }),
    );
  });

  test("of a user is none of a key, nor the other way round, though every field were the same", () => {
    const both = { id: "a", name: "a", role: "admin", user: null, configurations: null, hash: "", revokedAt: null };
    const row = { ...both, password: "", createdAt: 1, disabledAt: null };
    expect(isIntactKey(keys, { ...row, seal: sealUser(keys, row, seq).seal }, word)).toBe(false);
    expect(isIntactUser(keys, { ...row, seal: sealKey(keys, row, seq).seal }, word)).toBe(false);
  });

  test("is over a text that names its purpose and never changes: rows that are kept stay what they are", () => {
    const ann = { name: "ann", role: "admin", password: "p", createdAt: 1, disabledAt: null };
    const text = '"createdAt":1,"disabledAt":null,"name":"ann","password":"p","role":"admin"';
    expect(isSealed(keys, `["account.user",{${text}}]`, sealUser(keys, ann, null).seal)).toBe(true);
    expect(isSealed(keys, `["account.user",{${text},"seq":7}]`, sealUser(keys, ann, seq).seal)).toBe(true);
    const limited = { user: "ann", configurations: ["a"], hash: "h", createdAt: 1, revokedAt: 2 };
    const ci = { id: "0", name: "ci", role: "reader", ...limited };
    const fields =
      '{"configurations":["a"],"createdAt":1,"hash":"h","id":"0","name":"ci","revokedAt":2,"role":"reader","user":"ann"}';
    expect(isSealed(keys, `["account.key",${fields}]`, sealKey(keys, ci, null).seal)).toBe(true);
    const withSeq = fields.replace('"user"', '"seq":7,"user"');
    expect(isSealed(keys, `["account.key",${withSeq}]`, sealKey(keys, ci, seq).seal)).toBe(true);
  });

  test("made with another key file is none; one made before the keys were rotated still is", () => {
    const row = { name: "ann", role: "admin", password: "", createdAt: 1, disabledAt: null };
    const sealed = sealUser(keys, row, seq);
    expect(isIntactUser(loadKeys(createKeyFile(random)), sealed, word)).toBe(false);
    expect(isIntactUser(loadKeys(rotateKeyFile(file, random)), sealed, word)).toBe(true);
  });
});
