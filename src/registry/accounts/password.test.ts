import { scryptSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { watchHashes } from "../../testing/watched-hashes.ts";
import { createPassword, hashPassword, verifyPassword } from "./password.ts";

const random = seededRandomness();
const password = "correct horse battery staple";
let encoded = "";

beforeAll(async () => {
  encoded = await hashPassword(password, random);
});

test("T38: a password that is made is taken, easy to read out, and never the same", async () => {
  const made = Array.from({ length: 1000 }, () => createPassword(random));
  for (const each of made) expect(each).toMatch(/^[a-km-np-z2-9]{5}(?:-[a-km-np-z2-9]{5}){3}$/);
  expect(new Set(made).size).toBe(made.length);
  expect(new Set(made.join("").replaceAll("-", "")).size).toBe(32);
  const [first = ""] = made;
  expect(await verifyPassword(first, await hashPassword(first, random))).toBe(true);
});

describe("T38: a password is kept as a memory-hard hash", () => {
  test("that names its parameters, has a salt of its own, and holds nothing of the password", async () => {
    expect(encoded).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    const again = await hashPassword(password, random);
    expect(again.split("$")[4]).not.toBe(encoded.split("$")[4]);
    expect(again.split("$")[5]).not.toBe(encoded.split("$")[5]);
  });

  test("that knows its password and no other", async () => {
    expect(await verifyPassword(password, encoded)).toBe(true);
    expect(await verifyPassword(`${password}.`, encoded)).toBe(false);
    expect(await verifyPassword(password.toUpperCase(), encoded)).toBe(false);
  });

  test("a password is the same from every keyboard: composed, decomposed, full width", async () => {
    const kept = await hashPassword("Ångström-Ａ-ﬁve", random);
    expect(await verifyPassword("A\u030Angstro\u0308m-A-five", kept)).toBe(true);
    expect(await verifyPassword("Angstrom-A-five", kept)).toBe(false);
  });

  test("the end of a long password counts", async () => {
    const long = "a".repeat(1023);
    const kept = await hashPassword(`${long}b`, random);
    expect(await verifyPassword(`${long}c`, kept)).toBe(false);
  });
});

describe("T38: the rule for passwords", () => {
  test.each([
    ["11 characters", "a".repeat(11)],
    ["11 characters of two units each", "🙂".repeat(11)],
    ["12 that are 6 once they are composed", "e\u0301".repeat(6)],
    ["none", ""],
    ["1025 characters", "a".repeat(1025)],
    ["few that are many once they are spelt out", "\uFDFA".repeat(100)],
    ["a flood of marks, which would take long to put in order", `a${"\u0301\u0316".repeat(500_000)}`],
  ])("%s: refused before any hashing, and the refusal says the rule", async (_what, refused) => {
    const watched = await watchHashes(async () => {
      await expect(hashPassword(refused, random)).rejects.toMatchObject({
        code: "usage.invalid",
        message: "a password must have 12 to 1024 characters",
      });
      expect(await verifyPassword(refused, encoded)).toBe(false);
    });
    expect(watched.started).toBe(0);
  });

  test.each([["12 characters", "a".repeat(12)] as const, ["1024 of two units each", "🙂".repeat(1024)] as const])(
    "%s: taken",
    async (_what, taken) => {
      expect(await verifyPassword(taken, await hashPassword(taken, random))).toBe(true);
    },
  );
});

describe("T38: nobody's password", () => {
  test("costs one hash, like anybody's, and is wrong", async () => {
    for (const kept of [undefined, encoded]) {
      const watched = await watchHashes(async () => {
        expect(await verifyPassword("another one entirely", kept)).toBe(false);
      });
      expect(watched.started).toBe(1);
    }
  });

  test.each([
    ["gigabytes of memory", "scrypt$24$8$3"],
    ["a number beyond all numbers", `scrypt$${"9".repeat(400)}$8$3`],
    ["no work at all", "scrypt$0$0$0"],
    ["what scrypt itself refuses", "scrypt$16$1$1"],
    ["no rounds", "scrypt$15$8$0"],
    ["another function", "md5$15$8$3"],
    ["nothing", ""],
  ])("T18: a row that asks for %s is answered by the decoy's work", async (_what, head) => {
    const watched = await watchHashes(async () => {
      expect(
        await verifyPassword(
          password,
          encoded.replace("scrypt$15$8$3", () => head),
        ),
      ).toBe(false);
    });
    expect(watched.started).toBe(1);
  });

  /** A true hash of the password, of any strength. */
  const hashOf = (cost: number, r: number, p: number) => {
    const hash = scryptSync(password, Buffer.alloc(16), 32, { N: 2 ** cost, r, p, maxmem: 2 ** 28 });
    return ["scrypt", cost, r, p, "A".repeat(22), hash.toString("base64url")].join("$");
  };

  test("T18: a row says how it was hashed, within bounds", async () => {
    const bearable = [hashOf(14, 8, 1), hashOf(16, 8, 4)];
    for (const row of bearable) expect(await verifyPassword(password, row)).toBe(true);
    const others = [hashOf(17, 8, 1), hashOf(14, 9, 1), hashOf(14, 8, 5), hashOf(13, 8, 1), hashOf(14, 7, 1)];
    for (const row of others) expect(await verifyPassword(password, row)).toBe(false);
  });
});

describe("T38: hashing leaves the process to others", () => {
  test("the event loop keeps turning", async () => {
    let [turns, hashing] = [0, true];
    const turn = () => {
      turns++;
      if (hashing) setImmediate(turn);
    };
    setImmediate(turn);
    await verifyPassword(password, encoded);
    hashing = false;
    expect(turns).toBeGreaterThan(20);
  });

  test("two hashes at most are in the thread pool, however many are asked for", async () => {
    const tries = Array.from({ length: 6 }, (_, place) => (place % 2 === 0 ? encoded : undefined));
    const watched = await watchHashes(() => Promise.all(tries.map((kept) => verifyPassword(password, kept))));
    expect(watched).toEqual({ started: 6, mostAtOnce: 2 });
  });
});
