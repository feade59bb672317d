import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixedClock } from "../testing/fixed-clock.ts";
import { type RequestBounds, RequestLimits } from "./request-limits.ts";

const bounds: RequestBounds = { perMinute: 6, concurrent: 2, failuresPerMinute: 3, remembered: 4 };

function created(more: Partial<RequestBounds> = {}) {
  const clock = fixedClock();
  return { clock, limits: new RequestLimits(clock, { ...bounds, ...more }) };
}

/** Whether a request that is over at once is let in. */
function isIn(limits: RequestLimits, name: string): boolean {
  try {
    limits.enter(name).leave();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "request.too-many" });
    return false;
  }
}

describe("T41: how much one principal may ask", () => {
  test("T41: as many as a minute allows, then one each time another one has become due", () => {
    const { clock, limits } = created();
    expect(Array.from({ length: 8 }, () => isIn(limits, "ann"))).toEqual([...Array(6).fill(true), false, false]);
    clock.advance(9_999);
    expect(isIn(limits, "ann")).toBe(false);
    clock.advance(1);
    expect([isIn(limits, "ann"), isIn(limits, "ann")]).toEqual([true, false]);
  });

  test("T41: one principal's requests are not another's", () => {
    const { limits } = created();
    while (isIn(limits, "ann"));
    expect(isIn(limits, "ben")).toBe(true);
  });

  test("T41: so many at the same time, and a refused one uses nothing up", () => {
    const { limits } = created();
    const [first, second] = [limits.enter("ann"), limits.enter("ann")];
    for (let more = 0; more < 20; more++) expect(isIn(limits, "ann")).toBe(false);
    first.leave();
    first.leave();
    const third = limits.enter("ann");
    expect(third.headers["x-ratelimit-remaining-requests"]).toBe("3");
    expect(isIn(limits, "ann")).toBe(false);
    second.leave();
    third.leave();
    expect(isIn(limits, "ann")).toBe(true);
  });

  test("T41: says how much is left, and when there is more", () => {
    const { limits } = created();
    expect(limits.enter("ann").headers).toEqual({
      "x-ratelimit-limit-requests": "6",
      "x-ratelimit-remaining-requests": "5",
      "x-ratelimit-reset-requests": "10s",
    });
    for (let left = 5; left > 0; left--) isIn(limits, "ann");
    expect(() => limits.enter("ann")).toThrow(expect.objectContaining({ seconds: 10 }));
  });

  test("T41: in any window no more gets in than the bucket and what flowed into it, whatever the clock does", () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 20_000 }), { maxLength: 80 });
    fc.assert(
      fc.property(steps, (waits) => {
        const { clock, limits } = created();
        let [passed, taken] = [0, 0];
        for (const wait of waits) {
          clock.advance(wait);
          passed += Math.max(0, wait);
          if (isIn(limits, "ann")) taken++;
          expect(taken).toBeLessThanOrEqual(6 + passed / 10_000 + 1e-6);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("T41: what is remembered", () => {
  test("T41: is bounded, and whoever has requests running is not forgotten", () => {
    const { limits } = created();
    const running = [limits.enter("ann"), limits.enter("ann")];
    for (let other = 0; other < 100; other++) isIn(limits, `other ${other}`);
    for (let other = 0; other < 100; other++) tryWrong(limits, `10.0.0.${other}`);
    expect(limits.size).toEqual({ principals: 4, addresses: 4 });
    expect(isIn(limits, "ann")).toBe(false);
    for (const pass of running) pass.leave();
  });

  test("T41: the one that was used last stays", () => {
    const { limits } = created({ perMinute: 1 });
    isIn(limits, "ann");
    for (let other = 0; other < 10; other++) {
      isIn(limits, `other ${other}`);
      expect(isIn(limits, "ann")).toBe(false);
    }
  });
});

function tryWrong(limits: RequestLimits, address: string): boolean {
  try {
    limits.fail(address);
    return true;
  } catch {
    return false;
  }
}

describe("T38: wrong keys from one address", () => {
  test("T38: are slowed down, and nobody's right key is", () => {
    const { clock, limits } = created();
    const wrong = (address: string) => Array.from({ length: 5 }, () => tryWrong(limits, address));
    expect(wrong("10.0.0.1")).toEqual([true, true, true, false, false]);
    expect(wrong("10.0.0.2")).toEqual([true, true, true, false, false]);
    expect(isIn(limits, "ann")).toBe(true);
    clock.advance(20_000);
    expect(tryWrong(limits, "10.0.0.1")).toBe(true);
  });

  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["2001:db8::1", "2001:db8:0:0:9::", true],
    ["::1", "::2", true],
    ["::ffff:10.0.0.1", "::ffff:10.0.0.2", false],
    ["10.0.0.1", "10.0.0.2", false],
  ])("T38: %s and %s count as one: %s", (one, other, same) => {
    const { limits } = created({ failuresPerMinute: 1 });
    tryWrong(limits, one);
    expect(tryWrong(limits, other)).toBe(!same);
  });
});
