import { describe, expect, test } from "vitest";
import { demandDigest } from "./find.ts";

describe("RV-5: the digest that was typed", () => {
  const current = `${"ab".repeat(6)}${"1".repeat(52)}`;
  const older = `${"cd".repeat(6)}${"2".repeat(52)}`;
  const entry = { id: "house:greet", current };
  const kept = (...digests: string[]) => ({
    revisionsOf: () => Promise.resolve(digests.map((digest) => ({ digest, commit: null, seenAt: 0 }))),
  });

  test.each([current, current.slice(0, 12), current.toUpperCase()])("%s is the current one", async (typed) => {
    expect(await demandDigest(kept(current, older), entry, typed)).toBe(current);
  });

  test("an older one that is kept is found too", async () => {
    expect(await demandDigest(kept(current, older), entry, older.slice(0, 20))).toBe(older);
  });

  test("T15: a start that two revisions share is refused: which one was shown cannot be known", async () => {
    const forged = `${current.slice(0, 12)}${"f".repeat(52)}`;
    const asked = demandDigest(kept(current, forged), { ...entry, current: forged }, current.slice(0, 12));
    await expect(asked).rejects.toMatchObject({ code: "usage.invalid" });
    expect(await demandDigest(kept(current, forged), { ...entry, current: forged }, current)).toBe(current);
  });

  test.each([
    [current.slice(0, 11), "usage.invalid"],
    [`${current}0`, "usage.invalid"],
    ["not a digest", "usage.invalid"],
    ["0".repeat(12), "record.missing"],
  ])("%s is refused", async (typed, code) => {
    await expect(demandDigest(kept(current, older), entry, typed)).rejects.toMatchObject({ code });
  });
});
