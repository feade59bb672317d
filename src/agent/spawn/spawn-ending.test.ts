import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { accepted, sayingTurns, SpawnRoom } from "../../../test/scope/spawn-room.ts";
import { sha256 } from "../../core/digest.ts";
import type { ContractExecutor, Evaluation } from "../../scope/contract/contract.ts";
import type { SpawnHost } from "./spawn-host.ts";

const never = <Result>() => new Promise<Result>(() => {});

async function settle(): Promise<void> {
  for (let at = 0; at < 5; at++) await new Promise((resolve) => void setImmediate(resolve));
}

/** Whether it has settled by now. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void work.then(() => (settled = true));
  await settle();
  return settled;
}

/** A skill with a contract, and an executor that ends when the test says so, whatever its signal does. */
function contracted() {
  const home = new SpawnRoom("read");
  const code = "export default {}";
  home.addSkill("held", {}, { contract: { digest: sha256(Buffer.from(code)), code } });
  const running: { phase: string; signal: AbortSignal | undefined; end: () => void }[] = [];
  const contracts: ContractExecutor = {
    evaluate: ({ phase, signal }) =>
      new Promise<Evaluation>((resolve) => {
        running.push({ phase, signal, end: () => resolve({ results: [], faults: [], milliseconds: 1 }) });
      }),
  };
  return { home, contracts, running };
}

describe("SC-10: contracts do not outlive their spawn unseen", () => {
  test("a precondition that goes on is told to end, keeps its place, and is waited for by closing", async () => {
    const { home, contracts, running } = contracted();
    const spawner = home.spawner(sayingTurns(), { contracts, limits: { perParent: 1 } });
    const spawning = spawner.spawn({ task: "x", skills: ["held"], timeout: 5 });
    await settle();
    expect(running).toMatchObject([{ phase: "before", signal: { aborted: false } }]);
    home.time.advance(5);
    expect(await spawning).toMatchObject({ status: "forbidden", error: expect.stringContaining("timeout") });
    expect(running[0]?.signal?.aborted).toBe(true);
    expect(await spawner.spawn({ task: "x" })).toMatchObject({ status: "forbidden", error: /no more may be/ });
    const closing = spawner.close();
    expect(await isSettled(closing)).toBe(false);
    running[0]?.end();
    expect([await isSettled(closing), home.time.timers]).toEqual([true, 0]);
  });

  test("so does a postcondition; its place is free when it has ended", async () => {
    const { home, contracts, running } = contracted();
    const spawner = home.spawner(sayingTurns(), { contracts, limits: { perParent: 1 } });
    const spawning = spawner.spawn({ task: "x", skills: ["held"], timeout: 5 });
    await settle();
    running[0]?.end();
    const { done } = accepted(await spawning);
    await settle();
    home.time.advance(5);
    expect([(await done).end, running[1]?.phase, running[1]?.signal?.aborted]).toEqual(["timeout", "after", true]);
    expect((await spawner.spawn({ task: "x" })).status).toBe("forbidden");
    running[1]?.end();
    await settle();
    expect((await spawner.spawn({ task: "x" })).status).toBe("accepted");
    await spawner.close();
  });
});

describe("SC-5: tools do not outlive their place", () => {
  /** A spawner with one place; its sub-agent is over, and a tool of it is not. */
  async function lingering() {
    const home = new SpawnRoom();
    const tool: { end?: (text: string) => void } = {};
    home.addTool("slow", { run: () => new Promise<string>((resolve) => (tool.end = resolve)) });
    const spawner = home.spawner(sayingTurns({ calls: [["slow"]] }), { limits: { perParent: 1 } });
    const { done } = accepted(await spawner.spawn({ task: "x", timeout: 5 }));
    await settle();
    home.time.advance(5);
    expect((await done).end).toBe("timeout");
    const status = async () => (await spawner.spawn({ task: "x" })).status;
    return { home, tool, spawner, status };
  }

  test("a place is free when the tool that went on has ended, and no timer is left", async () => {
    const { home, tool, status } = await lingering();
    expect(await status()).toBe("forbidden");
    tool.end?.("at last");
    await settle();
    expect([home.time.timers, await status()]).toEqual([0, "accepted"]);
  });

  test("or after 5 s, when it never does", async () => {
    const { home, spawner, status } = await lingering();
    home.time.advance(4_999);
    await settle();
    expect(await status()).toBe("forbidden");
    home.time.advance(1);
    await settle();
    expect([home.time.timers, await status()]).toEqual([0, "accepted"]);
    const closing = spawner.close();
    await settle();
    home.time.advance(5_000);
    await closing;
    expect(home.time.timers).toBe(0);
  });
});

describe("SC-5: a place", () => {
  test.each<[string, (home: SpawnRoom, fail: () => boolean) => Partial<SpawnHost>]>([
    [
      "a skill that cannot be read",
      ({ capabilities }, fail) => ({
        capabilities: {
          ...capabilities,
          get: (name) => {
            const skill = capabilities.get(name);
            const contract = () => (fail() ? expect.fail("broken") : null);
            return skill && Object.defineProperty({ ...skill }, "contract", { get: contract });
          },
        },
      }),
    ],
    [
      "a timer that throws",
      ({ time: { timer } }, fail) => ({
        timer: { ...timer, after: (...given) => (fail() ? expect.fail("broken") : timer.after(...given)) },
      }),
    ],
  ])("a spawn that broke before it began keeps no place and no deadline: %s", async (_, parts) => {
    const home = new SpawnRoom("read");
    home.addSkill("reader");
    let isBroken = true;
    const spawner = home.spawner({ answer: never }, { ...parts(home, () => isBroken), limits: { perParent: 1 } });
    const broken = await spawner.spawn({ task: "x", skills: ["reader"] });
    expect(broken).toMatchObject({ status: "forbidden", error: expect.stringContaining("could not be started") });
    expect(home.time.timers).toBe(0);
    isBroken = false;
    expect((await spawner.spawn({ task: "x", skills: ["reader"] })).status).toBe("accepted");
    await spawner.close();
    expect(home.time.timers).toBe(0);
  });
});

describe("SC-5: closing", () => {
  test("waits for spawns that are being prepared", async () => {
    const home = new SpawnRoom();
    const spawner = home.spawner(sayingTurns(), { model: never });
    let answered = "nothing";
    void spawner.spawn({ task: "x" }).then(({ status }) => (answered = status));
    await spawner.close();
    expect([answered, home.time.timers]).toEqual(["forbidden", 0]);
  });

  test("waits for a tool that goes on after its session, and no longer than 5 s", async () => {
    const home = new SpawnRoom();
    const tool: { end?: (text: string) => void } = {};
    home.addTool("slow", { run: () => new Promise<string>((resolve) => (tool.end = resolve)) });
    const closing = async () => {
      const spawner = home.spawner(sayingTurns({ calls: [["slow"]] }));
      const { done } = accepted(await spawner.spawn({ task: "x", timeout: 5 }));
      await settle();
      home.time.advance(5);
      expect((await done).end).toBe("timeout");
      return { closed: spawner.close() };
    };
    const patient = await closing();
    expect(await isSettled(patient.closed)).toBe(false);
    tool.end?.("at last");
    expect([await isSettled(patient.closed), home.time.timers]).toEqual([true, 0]);
    const stubborn = await closing();
    await settle();
    home.time.advance(4_999);
    expect(await isSettled(stubborn.closed)).toBe(false);
    home.time.advance(1);
    expect([await isSettled(stubborn.closed), home.time.timers]).toEqual([true, 0]);
  });
});

describe("SC-5: time", () => {
  test("is counted by the stopwatch: a clock that is set does not end a session", async () => {
    const home = new SpawnRoom("read");
    let now = 1_000_000;
    home.addTool("read", { run: async () => String((now += 3_600_000)) });
    const outcome = await home.run(sayingTurns({ calls: [["read"]] }), {}, { clock: { now: () => now } });
    expect(outcome.end).toBe("finished");
  });

  test("one signal of many spawns has one listener, and none when they are over", async () => {
    const home = new SpawnRoom();
    const calling = new AbortController();
    const listeners = () => getEventListeners(calling.signal, "abort").length;
    const spawner = home.spawner({ answer: never });
    const request = { task: "x", signal: calling.signal };
    const [first, ...others] = await Promise.all(Array.from({ length: 14 }, () => spawner.spawn(request)));
    expect(listeners()).toBe(1);
    calling.abort();
    const ends = [first, ...others].map(async (each) => each && (await accepted(each).done).end);
    expect(new Set(await Promise.all(ends))).toEqual(new Set(["cancelled"]));
    expect(listeners()).toBe(0);

    const again = new AbortController();
    const quick = home.spawner(sayingTurns());
    await accepted(await quick.spawn({ task: "x", signal: again.signal })).done;
    expect(getEventListeners(again.signal, "abort")).toEqual([]);
    await accepted(await quick.spawn({ task: "x", signal: again.signal })).done;
  });
});
