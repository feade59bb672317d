import { describe, expect, test } from "vitest";
import { accepted, sayingTurns, SpawnRoom } from "../../../test/scope/spawn-room.ts";
import type { SpawnRequest } from "./spawn.ts";

const never = <Result>() => new Promise<Result>(() => {});
const spawnCall = (request: Partial<SpawnRequest>) => ({ calls: [["spawn", { task: "below", ...request }] as const] });

/** Until all that can go on without time has gone on. */
async function settle(): Promise<void> {
  for (let at = 0; at < 100; at++) await Promise.resolve();
}

function ends(home: SpawnRoom): unknown[] {
  return home.told("spawn.ended").map((event) => "end" in event && event.end);
}

describe("the time of a session", () => {
  test("SC-5: a tool that ends its own session, and never returns, is not waited for", async () => {
    const home = new SpawnRoom("read");
    const leaving = new AbortController();
    home.addTool("leave", { run: () => (leaving.abort(), never()) });
    const spawner = home.spawner(sayingTurns({ text: "so far", calls: [["leave"], ["read"]] }));
    const { done } = accepted(await spawner.spawn({ task: "x", signal: leaving.signal }));
    expect(await done).toMatchObject({ end: "cancelled", text: "so far" });
  });

  test("SC-5: it ends at its deadline, also when model or tool ignore the signal", async () => {
    const home = new SpawnRoom("read");
    let signal: AbortSignal | undefined;
    home.addTool("slow", { run: (_, context) => ((signal = context.signal), never()) });
    const spawner = home.spawner(sayingTurns({ text: "so far", calls: [["slow"], ["read"]] }));
    const { done } = accepted(await spawner.spawn({ task: "x", timeout: 500 }));
    await settle();
    home.time.advance(499);
    await settle();
    expect(ends(home)).toEqual([]);
    home.time.advance(1);
    expect(await done).toMatchObject({ end: "timeout", text: "so far" });
    // The deadline is gone; what is left is how long its place waits for the tool.
    expect([signal?.aborted, home.ran, home.time.timers]).toEqual([true, ["slow"], 1]);
    home.time.advance(5_000);
    expect(home.time.timers).toBe(0);

    const deaf = home.spawner({ answer: never });
    const other = accepted(await deaf.spawn({ task: "x" }));
    home.time.advance(600_000);
    expect(await other.done).toMatchObject({ end: "timeout", text: "" });
  });

  test("SC-5: a child has no more than what its parent has left, and ends with it", async () => {
    const home = new SpawnRoom();
    const model = sayingTurns(
      () => {
        home.time.advance(400);
        return spawnCall({ timeout: 100_000 });
      },
      spawnCall({ timeout: 90_000 }),
      never,
    );
    const { done } = accepted(await home.spawner(model).spawn({ task: "x", timeout: 1000 }));
    await settle();
    expect(home.told("spawn.started")).toHaveLength(3);
    home.time.advance(599);
    await settle();
    expect(ends(home)).toEqual([]);
    home.time.advance(1);
    await done;
    await settle();
    expect([ends(home), home.time.timers]).toEqual([["timeout", "timeout", "timeout"], 0]);
  });

  test("SC-5: a child's own time may be shorter, and its parent goes on", async () => {
    const home = new SpawnRoom();
    const model = sayingTurns(spawnCall({ timeout: 10 }), never, { text: "went on" });
    const { done } = accepted(await home.spawner(model).spawn({ task: "x" }));
    await settle();
    home.time.advance(10);
    expect(await done).toMatchObject({ end: "finished", text: "went on" });
    expect(ends(home)).toEqual(["timeout", "finished"]);
  });

  test("SC-5: whoever keeps the process busy past the deadline gets no further turn", async () => {
    const home = new SpawnRoom("read");
    const spawner = home.spawner(
      sayingTurns(() => {
        home.time.stopwatch.now = () => 9_000_000;
        return { calls: [["read"]] };
      }),
    );
    const { done } = accepted(await spawner.spawn({ task: "x" }));
    expect([(await done).end, home.ran]).toEqual(["timeout", []]);
  });

  test("SC-5: nor does a child that keeps it busy past its parent's, whatever time it asked for", async () => {
    const home = new SpawnRoom("read");
    const model = sayingTurns(spawnCall({ timeout: 500_000 }), () => {
      home.time.stopwatch.now = () => 1_002_000;
      return { calls: [["read"]] };
    });
    const { done } = accepted(await home.spawner(model).spawn({ task: "x", timeout: 1000 }));
    expect([(await done).end, home.ran]).toEqual(["timeout", []]);
  });

  test("SC-5: the caller's signal and closing cancel; afterwards nothing can be spawned", async () => {
    const home = new SpawnRoom();
    const calling = new AbortController();
    const spawner = home.spawner({ answer: never });
    const one = accepted(await spawner.spawn({ task: "x", signal: calling.signal }));
    const two = accepted(await spawner.spawn({ task: "x" }));
    calling.abort();
    expect((await one.done).end).toBe("cancelled");
    expect(await spawner.spawn({ task: "x", signal: calling.signal })).toMatchObject({ status: "forbidden" });
    await spawner.close();
    expect([(await two.done).end, ends(home), home.time.timers]).toEqual(["cancelled", ["cancelled", "cancelled"], 0]);
    expect(await spawner.spawn({ task: "x" })).toMatchObject({ status: "forbidden" });
  });

  test("SC-5: a host that cannot find a model in time, or a contract that takes for ever, starts nothing", async () => {
    const home = new SpawnRoom();
    const spawner = home.spawner(sayingTurns(), { model: () => never() });
    const waiting = spawner.spawn({ task: "x", timeout: 5 });
    await settle();
    home.time.advance(5);
    expect(await waiting).toMatchObject({ status: "forbidden", error: expect.stringContaining("timeout") });
    expect([home.told("spawn.started"), home.time.timers]).toEqual([[], 0]);
  });

  test("SC-5: what a tool says after the end is heard by nobody, and a late failure is nobody's", async () => {
    const home = new SpawnRoom();
    const late: { fail?: (error: Error) => void } = {};
    home.addTool("slow", { run: () => new Promise<string>((_, reject) => (late.fail = reject)) });
    const spawner = home.spawner(sayingTurns({ calls: [["slow"]] }));
    const { done } = accepted(await spawner.spawn({ task: "x", timeout: 5 }));
    await settle();
    home.time.advance(5);
    expect((await done).end).toBe("timeout");
    late.fail?.(new Error("too late"));
    await settle();
    expect(home.told("model.asked")).toHaveLength(1);
  });
});
