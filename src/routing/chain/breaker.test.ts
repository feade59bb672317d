import { describe, expect, it } from "vitest";
import { chainOf, evidence, link, shelfOf, usual } from "../../../test/support/route-room.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import type { Routed } from "../routed.ts";

const shelf = shelfOf(["a:x", "b:x", "c:x"].map((id) => ({ id, name: id })));
const honest = link("honest", { "a:x": 0.7, "b:x": 0.5 });
const query = "a query";

function codesOf({ findings }: Routed): readonly string[] {
  return findings.map(({ code }) => code);
}

function throwing(): never {
  throw new Error("broken");
}

describe("RT-4: cancellation", () => {
  const reason = new Error("the caller went away");

  it("asks nobody when the caller is gone already", async () => {
    let asked = 0;
    const counting = link("counting", () => (asked++, []));
    await expect(chainOf([counting]).route(shelf, query, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toBe(0);
  });

  it("ends the link that is being asked, asks no other, and rejects with the reason", async () => {
    const leaving = new AbortController();
    let [asked, seen]: [number, unknown] = [0, undefined];
    const slow = link("slow", ({ signal }) => {
      signal.addEventListener("abort", () => (seen = signal.reason));
      queueMicrotask(() => leaving.abort(reason));
      return new Promise(() => {});
    });
    const next = link("next", () => (asked++, []));
    await expect(chainOf([slow, next]).route(shelf, query, { signal: leaving.signal })).rejects.toBe(reason);
    expect([seen, asked]).toEqual([reason, 0]);
  });

  it("is not taken for a fault of the link that it ended", async () => {
    const leaving = new AbortController();
    const leave = link("leave", () => (leaving.abort(reason), throwing()));
    const chain = chainOf([leave]);
    for (let round = 0; round < 5; round++)
      await expect(chain.route(shelf, query, { signal: leaving.signal })).rejects.toBe(reason);
    const { trace } = await chain.route(shelf, query, {});
    expect(trace.steps[0]?.outcome).toBe("failed");
  });
});

describe("RT-4: a link that keeps failing", () => {
  function room() {
    const clock = fixedClock();
    const state = { asked: 0, isSound: false };
    const moody = link("moody", () => {
      state.asked++;
      return state.isSound ? evidence({ "c:x": 0.6 }) : throwing();
    });
    const chain = chainOf([moody, honest], usual, clock);
    return { clock, state, route: () => chain.route(shelf, query, {}) };
  }

  it("is skipped for 30 seconds after three failures, says so, and is tried once", async () => {
    const { clock, state, route } = room();
    for (let round = 0; round < 3; round++) expect(codesOf(await route())).toEqual(["route.link-failed"]);
    clock.advance(29_999);
    const skipped = await route();
    expect(codesOf(skipped)).toEqual(["route.link-skipped"]);
    expect(skipped.trace.steps[0]).toMatchObject({
      outcome: "skipped",
      note: "it failed several times in a row; asked again in 1 s",
    });
    expect(skipped.matches.map(({ entry }) => entry)).toEqual(["a:x", "b:x"]);
    expect(state.asked).toBe(3);
    clock.advance(1);
    expect(codesOf(await route())).toEqual(["route.link-failed"]);
    expect(codesOf(await route())).toEqual(["route.link-skipped"]);
    expect(state.asked).toBe(4);
    clock.advance(30_000);
    state.isSound = true;
    expect((await route()).matches.map(({ entry }) => entry)).toContain("c:x");
    expect(codesOf(await route())).toEqual([]);
  });

  it("starts anew when it answers in between", async () => {
    const { state, route } = room();
    for (const isSound of [false, false, true, false, false, true]) {
      state.isSound = isSound;
      await route();
    }
    expect(state.asked).toBe(6);
    expect(codesOf(await route())).toEqual([]);
  });

  it("is not skipped for longer because the clock was set back", async () => {
    const { clock, state, route } = room();
    for (let round = 0; round < 3; round++) await route();
    clock.advance(-3_600_000);
    await route();
    expect(state.asked).toBe(4);
  });

  it("lets one of many concurrent queries try it", async () => {
    const clock = fixedClock();
    let [asked, isSound] = [0, false];
    const chain = chainOf([link("moody", async () => (asked++, isSound ? [] : throwing())), honest], usual, clock);
    const all = () => Promise.all(Array.from({ length: 20 }, () => chain.route(shelf, query, {})));
    await all();
    expect(asked).toBe(20);
    clock.advance(30_000);
    isSound = true;
    const outcomes = (await all()).map(({ trace }) => trace.steps[0]?.outcome);
    expect([asked, outcomes.filter((each) => each === "skipped").length]).toEqual([21, 19]);
    await all();
    expect(asked).toBe(41);
  });

  it("lets another one try when whoever tried it went away", async () => {
    const clock = fixedClock();
    const leaving = new AbortController();
    let mood: "fail" | "hang" | "answer" = "fail";
    const find = () =>
      mood === "fail"
        ? throwing()
        : mood === "hang"
          ? new Promise(() => queueMicrotask(() => leaving.abort()))
          : evidence({ "c:x": 0.6 });
    const chain = chainOf([link("moody", find)], usual, clock);
    for (let round = 0; round < 3; round++) await chain.route(shelf, query, {});
    clock.advance(30_000);
    mood = "hang";
    await expect(chain.route(shelf, query, { signal: leaving.signal })).rejects.toThrow("aborted");
    mood = "answer";
    expect((await chain.route(shelf, query, {})).trace.steps[0]?.outcome).toBe("answered");
  });

  it("leaves the other links alone: each has a count of its own", async () => {
    const bad = link("same", throwing);
    const chain = chainOf([bad, { ...honest, name: "same" }]);
    for (let round = 0; round < 4; round++) expect((await chain.route(shelf, query, {})).matches).toHaveLength(2);
  });
});
