import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { openSession } from "../../registry/accounts/sessions.ts";
import { accountsWith } from "../../testing/memory-accounts.ts";
import { createSessions } from "./sessions.ts";

const minute = 60_000;

async function signedIn() {
  const accounts = accountsWith({ ann: "operator" });
  const secret = await openSession(accounts, "ann", "password");
  const seenAt = () => [...accounts.kept.rows.sessions.values()][0]?.seenAt;
  return { accounts, secret, seenAt };
}

describe("T37: that a session is used", () => {
  test("is written down behind the answer, by one of many who come at once", async () => {
    const { accounts, secret, seenAt } = await signedIn();
    let free = () => {};
    const gate = new Promise<void>((resolve) => {
      free = resolve;
    });
    let transactions = 0;
    const transaction: typeof accounts.kept.transaction = async (act) => {
      transactions++;
      await gate;
      return accounts.kept.transaction(act);
    };
    const sessions = createSessions({ ...accounts, kept: { ...accounts.kept, transaction } }, "store");
    const before = seenAt();
    accounts.clock.advance(minute);
    const found = await Promise.all(Array.from({ length: 5 }, () => sessions.find(secret)));
    expect(found.map((each) => each?.person.name)).toEqual(found.map(() => "ann"));
    expect([transactions, seenAt()]).toEqual([1, before]);
    free();
    await nextTurn();
    expect(seenAt()).toBe((before ?? 0) + minute);
    await sessions.find(secret);
    expect(transactions).toBe(1);
  });

  test.each([new AppError("store.failed", "the disk is full"), new TypeError("nobody foresaw this")])(
    "and cannot be written down (%s): what can be read is read until it ends, and it is tried again",
    async (fault) => {
      const { accounts, secret } = await signedIn();
      let transactions = 0;
      const transaction = () => (transactions++, Promise.reject(fault));
      const sessions = createSessions({ ...accounts, kept: { ...accounts.kept, transaction } }, "store");
      for (const passed of [28 * minute, minute]) {
        accounts.clock.advance(passed);
        expect(await sessions.find(secret)).toBeDefined();
        await nextTurn();
      }
      accounts.clock.advance(minute);
      expect([await sessions.find(secret), transactions]).toEqual([undefined, 2]);
    },
  );

  test("is nothing that looking does", async () => {
    const { accounts, secret, seenAt } = await signedIn();
    const sessions = createSessions(accounts, "store");
    const before = seenAt();
    accounts.clock.advance(29 * minute);
    expect(await sessions.look(secret)).toBeDefined();
    await nextTurn();
    expect(seenAt()).toBe(before);
  });
});
