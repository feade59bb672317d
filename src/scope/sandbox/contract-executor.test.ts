import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Thread } from "../../core/world.ts";
import type { Step } from "../contract/messages.ts";
import { createContractExecutor } from "./contract-executor.ts";

const code = "export default {};";
const contracts = ["a/one", "b/two"].map((skill) => ({ skill, source: { digest: sha256(Buffer.from(code)), code } }));
const facts = { task: "Fold the sails", scope: null, result: null };
const declaration = JSON.stringify({
  contract: { name: "n", version: "1", predicates: [{ kind: "preconditions", name: "dry", severity: "SOFT" }] },
});

/** A thread that answers as it is told to, in a world where time passes only while it thinks. */
function room(answer: (step: Step) => unknown, { takes = 0 } = {}) {
  let now = 0;
  const seen = { opened: 0, closed: 0, steps: [] as Step[], running: 0, watches: [] as number[], late: () => {} };
  const ask = async (asked: unknown) => {
    const step: Step = JSON.parse(String(asked));
    seen.steps.push(step);
    now += takes;
    return await answer(step);
  };
  const thread = { ask, close: async () => void seen.closed++ } as Thread;
  const every = (milliseconds: number, act: () => void) => {
    seen.watches.push(milliseconds);
    seen.running++;
    seen.late = act;
    return { stop: () => void seen.running-- };
  };
  const world = {
    threads: { open: () => (seen.opened++, thread) },
    timer: { after: async () => {}, every },
    stopwatch: { now: () => now },
  };
  const evaluate = (milliseconds = 10_000, signal?: AbortSignal) =>
    createContractExecutor(world).evaluate({ contracts, phase: "before", facts, milliseconds, signal });
  return { seen, evaluate };
}

function usual(step: Step): unknown {
  if (step.step === "engine") return `{"ready":true}`;
  return step.step === "open" ? declaration : `{"answer":true}`;
}

const never = () => new Promise(() => {});

describe("SC-10: the executor", () => {
  test("asks each contract in an engine of its own, text by text, and ends the thread", async () => {
    const { seen, evaluate } = room(usual, { takes: 5 });
    const { results, faults, milliseconds } = await evaluate();
    expect(results.map(({ skill, holds }) => [skill, holds])).toEqual([
      ["a/one", true],
      ["b/two", true],
    ]);
    expect([faults, milliseconds]).toEqual([[], 20]);
    expect(seen.steps.map(({ step }) => step)).toEqual(["engine", "open", "ask", "engine", "open", "ask"]);
    expect([seen.opened, seen.closed, seen.running]).toEqual([1, 1, 0]);
  });

  test("gives a step 1 s, and waits 1 s longer for what cannot be interrupted", async () => {
    const { seen, evaluate } = room(usual);
    await evaluate();
    expect(seen.watches.slice(1, 3)).toEqual([2_000, 2_000]);
    expect(seen.steps[1]).toMatchObject({ milliseconds: 1_000 });
  });

  test("gives no more than 10 s in all, whatever it is told, and what is left at the end", async () => {
    const { seen, evaluate } = room(usual, { takes: 4_000 });
    const { results, faults, milliseconds } = await evaluate(1e9);
    const given = seen.steps.flatMap((step) => ("milliseconds" in step ? [step.milliseconds] : []));
    expect(given).toEqual([1_000, 1_000, 1_000]);
    expect(results.map(({ fault }) => fault)).toEqual([null, "contract.timeout"]);
    expect([faults, milliseconds]).toEqual([[], 12_000]);
    const short = room(usual, { takes: 4_000 });
    await short.evaluate(300);
    expect(short.seen.steps).toMatchObject([{ step: "engine" }, { step: "open", milliseconds: 300 }]);
  });

  test("a thread that does not answer is contract.timeout, ended, and asked nothing more", async () => {
    const { seen, evaluate } = room((step) =>
      step.step === "ask" ? (queueMicrotask(seen.late), never()) : usual(step),
    );
    const { results, faults } = await evaluate();
    expect(results).toMatchObject([{ skill: "a/one", holds: false, severity: "HARD", fault: "contract.timeout" }]);
    expect(faults).toMatchObject([{ skill: "b/two", code: "contract.crashed" }]);
    expect([seen.closed, seen.running, seen.steps.length]).toEqual([1, 0, 3]);
  });

  test.each(["engine", "open", "ask"])("ends its thread as soon as nobody wants the answer (%s)", async (where) => {
    const calling = new AbortController();
    const { seen, evaluate } = room((step) =>
      step.step === where ? (queueMicrotask(() => calling.abort()), never()) : usual(step),
    );
    const { results, faults } = await evaluate(10_000, calling.signal);
    expect([...results.map(({ fault }) => fault), ...faults.map((fault) => fault.code)]).toEqual([
      "contract.crashed",
      "contract.crashed",
    ]);
    expect([seen.opened, seen.closed, seen.running, seen.steps.at(-1)?.step]).toEqual([1, 1, 0, where]);
    expect(getEventListeners(calling.signal, "abort")).toEqual([]);
  });

  test("opens none when it was over before, and leaves no listener behind", async () => {
    const { seen, evaluate } = room(usual);
    expect((await evaluate(10_000, AbortSignal.abort())).faults).toHaveLength(2);
    expect(seen.opened).toBe(0);
    const calling = new AbortController();
    expect((await evaluate(10_000, calling.signal)).results).toHaveLength(2);
    expect(getEventListeners(calling.signal, "abort")).toEqual([]);
  });

  test("a thread that ends is contract.crashed", async () => {
    for (const where of ["engine", "open", "ask"]) {
      const { seen, evaluate } = room((step) =>
        step.step === where ? Promise.reject(new Error("gone")) : usual(step),
      );
      const { results, faults } = await evaluate();
      const codes = [...results.map(({ fault }) => fault), ...faults.map((fault) => fault.code)];
      expect(codes).toEqual(["contract.crashed", "contract.crashed"]);
      expect([seen.closed, seen.running]).toEqual([1, 0]);
    }
  });

  test("whatever else comes back is contract.reply or contract.unreadable", async () => {
    for (const rubbish of [undefined, 7, "", "{", { answer: true }, "x".repeat(1e6)]) {
      const asked = await room((step) => (step.step === "ask" ? rubbish : usual(step))).evaluate();
      expect(asked.results.map(({ fault, severity }) => [fault, severity])).toEqual([
        ["contract.reply", "HARD"],
        ["contract.reply", "HARD"],
      ]);
      const opened = await room((step) => (step.step === "open" ? rubbish : usual(step))).evaluate();
      expect(opened.faults.map((fault) => fault.code)).toEqual(["contract.unreadable", "contract.unreadable"]);
    }
  });

  test("never rejects: not without a thread, nor when none can be had or ended", async () => {
    const { timer, stopwatch } = { timer: { after: never, every: () => ({ stop() {} }) }, stopwatch: { now: () => 0 } };
    const failing = () => {
      throw new Error("no memory");
    };
    const stuck = { ask: failing, close: () => Promise.reject(new Error("stuck")) };
    for (const open of [() => undefined, failing, () => stuck]) {
      const executor = createContractExecutor({ threads: { open }, timer: timer as never, stopwatch });
      const { faults } = await executor.evaluate({ contracts, phase: "before", facts, milliseconds: 10_000 });
      expect(faults.map((fault) => fault.code)).toEqual(["contract.crashed", "contract.crashed"]);
    }
  });
});
