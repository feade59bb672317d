import { describe, expect, test } from "vitest";
import { fixedClock } from "../testing/fixed-clock.ts";
import { type LoginBounds, LoginThrottle } from "./login-throttle.ts";

const bounds: LoginBounds = {
  triesPerPair: 3,
  triesPerAccount: 7,
  triesPerAddress: 5,
  triesAtOnce: 100,
  remembered: 4,
};

function created(more: Partial<LoginBounds> = {}) {
  const clock = fixedClock();
  return { clock, throttle: new LoginThrottle(clock, { ...bounds, ...more }) };
}

type Tried = Parameters<LoginThrottle["run"]>[0];

/** What becomes of one try: how much work was done for it, and whether it was told to wait. */
async function tried(throttle: LoginThrottle, who: Tried, isRight = false): Promise<"right" | "wrong" | "refused"> {
  let worked = false;
  const work = async () => {
    worked = true;
    if (!isRight) throw new Error("wrong");
  };
  try {
    await throttle.run(who, work);
    return "right";
  } catch (error) {
    if (worked) return "wrong";
    expect(error).toMatchObject({ code: "request.too-many", seconds: expect.any(Number) });
    return "refused";
  }
}

async function several(count: number, act: (at: number) => Promise<string>): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const outcome = await act(at);
    sums[outcome] = (sums[outcome] ?? 0) + 1;
  }
  return sums;
}

describe("T38: how often somebody may try", () => {
  test("as one account, from wherever they come; then once each time another try has become due", async () => {
    const { clock, throttle } = created();
    const outcome = await several(50, (at) => tried(throttle, { account: "ann", address: `10.0.0.${at}` }));
    expect(outcome).toEqual({ wrong: 7, refused: 43 });
    clock.advance(20_000);
    expect(await several(5, () => tried(throttle, { account: "ann", address: "10.1.0.1" }))).toEqual({
      wrong: 2,
      refused: 3,
    });
    expect(await tried(throttle, { account: "ben", address: "10.2.0.1" })).toBe("wrong");
  });

  test("one address, and a second one, keep nobody out of their own account", async () => {
    const { clock, throttle } = created();
    for (let minute = 0; minute < 5; minute++) {
      const addresses = ["10.0.0.1", "10.0.0.2"];
      for (const address of addresses)
        expect(await several(50, () => tried(throttle, { account: "ann", address }))).toEqual({
          wrong: 3,
          refused: 47,
        });
      expect(await tried(throttle, { account: "ann", address: "10.0.0.3" }, true)).toBe("right");
      clock.advance(60_000);
    }
  });

  test("what is refused for one of them takes nothing from the others", async () => {
    const { throttle } = created({ triesPerPair: 7 });
    // The account has one left after these.
    for (const address of ["10.0.0.1", "10.0.0.2"])
      await several(3, () => tried(throttle, { account: "ann", address }));
    expect(await several(4, () => tried(throttle, { account: "ann", address: "10.0.0.3" }))).toEqual({
      wrong: 1,
      refused: 3,
    });
    expect(await several(9, (at) => tried(throttle, { account: `n${at}`, address: "10.0.0.3" }))).toEqual({
      wrong: 4,
      refused: 5,
    });
  });

  test("right ones count for the account, so that nobody opens sessions without end", async () => {
    const { throttle } = created();
    expect(await several(9, () => tried(throttle, { account: "ann" }, true))).toEqual({ right: 3, refused: 6 });
  });

  test("from one address, whatever the names; right ones do not count there", async () => {
    const { throttle } = created();
    const address = "10.0.0.1";
    expect(await several(20, (at) => tried(throttle, { account: `right${at}`, address }, true))).toEqual({ right: 20 });
    expect(await several(20, (at) => tried(throttle, { account: `wrong${at}`, address }))).toEqual({
      wrong: 5,
      refused: 15,
    });
    expect(await tried(throttle, { account: "ann", address: "10.0.0.2" })).toBe("wrong");
  });

  test("an address that has used itself up takes nothing from anybody's account", async () => {
    const { throttle } = created();
    const address = "10.0.0.1";
    await several(5, (at) => tried(throttle, { account: `other${at}`, address }));
    expect(await several(20, () => tried(throttle, { account: "ann", address }))).toEqual({ refused: 20 });
    expect(await tried(throttle, { account: "ann", address: "10.0.0.2" })).toBe("wrong");
  });

  test("what an account is refused without any work takes nothing from its address", async () => {
    const { throttle } = created();
    const address = "10.0.0.1";
    expect(await several(50, () => tried(throttle, { account: "ann", address }))).toEqual({ wrong: 3, refused: 47 });
    expect(await several(5, () => tried(throttle, { account: "ben", address }))).toEqual({ wrong: 2, refused: 3 });
  });

  test("so many at the same time, and their places are free again however they ended", async () => {
    const { throttle } = created({ triesAtOnce: 2, triesPerPair: 100, triesPerAddress: 100 });
    const ends: (() => void)[] = [];
    const running = ["a", "b"].map((account) =>
      throttle.run(
        { account },
        () => new Promise<void>((resolve, reject) => ends.push(account === "a" ? resolve : reject)),
      ),
    );
    expect(await tried(throttle, { account: "c" })).toBe("refused");
    for (const end of ends) end();
    await Promise.allSettled(running);
    expect(await tried(throttle, { account: "c" })).toBe("wrong");
  });

  test("says when to come back", async () => {
    const { throttle } = created();
    await several(3, () => tried(throttle, { account: "ann" }));
    await expect(throttle.run({ account: "ann" }, async () => {})).rejects.toMatchObject({ seconds: 20 });
  });

  test("T41: what is remembered is bounded", async () => {
    const { throttle } = created();
    await several(100, (at) => tried(throttle, { account: `n${at}`, address: `10.0.0.${at}` }));
    expect(throttle.size).toEqual({ pairs: 4, accounts: 4, addresses: 4 });
  });
});
