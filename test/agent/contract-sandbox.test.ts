import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWorld, threadsBeside } from "../../src/app/world/world.ts";
import { bombs, declarations, honest, hostile, tricks } from "./contract-attacks.ts";
import { contractOf, contractWith, counted, evaluated, ofSkill, once, published, wordOf } from "./contract-room.ts";

describe("SC-10: what a contract says", () => {
  test("predicates see the task, the scope and the result, each as a copy of its own", async () => {
    const code = `const check = (facts) => { const text = JSON.stringify(facts); facts.task = "spoiled"; facts.scope.allowed.push("shell"); return { holds: false, reason: text }; };
      export default { name: "n", version: "1", postconditions: [{ name: "a", severity: "HARD", check }, { name: "b", severity: "SOFT", check }] };`;
    const { results, faults } = await evaluated([code], { phase: "after", facts: { result: { text: "done" } } });
    const reason = `{"task":"Fold the sails","scope":{"skills":["harbour/sails"],"allowed":["read"],"forbidden":["write"],"protocol":["fold"]},"result":{"text":"done"}}`;
    const same = { skill: "harbour/sails", kind: "postconditions", holds: false, reason, fault: null };
    expect(faults).toEqual([]);
    expect(results).toEqual([
      { ...same, name: "a", severity: "HARD" },
      { ...same, name: "b", severity: "SOFT" },
    ]);
  });

  test("preconditions are asked before, invariants and postconditions after", async () => {
    const one = (name: string) => `[{ name: "${name}", severity: "HARD", check: () => true }]`;
    const code = `export default { name: "n", version: "1", preconditions: ${one("p")}, invariants: ${one("i")}, postconditions: ${one("q")} };`;
    const before = await evaluated([code]);
    const after = await evaluated([code], { phase: "after" });
    expect(before.results.map(({ name }) => name)).toEqual(["p"]);
    expect(after.results.map(({ name }) => name)).toEqual(["i", "q"]);
  });

  test("the example's contract holds and fails where it should", async () => {
    const code = readFileSync(
      new URL("../../examples/skills/incident-postmortem/contract.js", import.meta.url),
      "utf8",
    );
    const said = async (phase: "before" | "after", facts: Parameters<typeof evaluated>[1]) => {
      const { results, faults } = await evaluated([code], { ...facts, phase });
      expect(faults).toEqual([]);
      return results.filter(({ holds }) => !holds).map(({ name, severity }) => `${severity} ${name}`);
    };
    expect(await said("before", { facts: { task: "Write up the outage of 2026-03-04" } })).toEqual([]);
    expect(await said("before", { facts: { task: "Hello" } })).toEqual([
      "HARD task-describes-an-incident",
      "SOFT task-says-when",
    ]);
    const text = `## Impact\n40 orders\n## Root cause\nA certificate that nobody renewed had run out in the night.\n## Timeline\n01:02 UTC a\n02:03 UTC b\n03:04 UTC c\n## Action items\n2026-04-01 renew`;
    const forbidden = ["patch", "replace"];
    const scope = { skills: [], allowed: [], forbidden, protocol: [] };
    expect(await said("after", { facts: { result: { text }, scope } })).toEqual([]);
    expect(await said("after", { facts: { result: { text: "It was human error" } } })).toEqual([
      "SOFT evidence-stays-unedited",
      "SOFT wording-is-blameless",
      "HARD has-root-cause",
      "HARD timeline-is-in-utc",
      "HARD actions-are-dated",
      "SOFT impact-is-measured",
    ]);
  });

  test("a predicate may call itself by this, and says why on one line", async () => {
    const check = `function () { return { holds: this.severity === "SOFT", reason: "because\\nof \\u202e" + "x".repeat(400) }; }`;
    const { results } = await evaluated([contractWith(check)]);
    expect(results[0]?.reason).toMatch(/^because\\u\{a\}of \\u\{202e\}x+…$/);
    expect(results[0]?.reason?.length).toBe(300);
  });
});

describe("SC-10, SC-11: whatever a contract does, it hurts nobody else", () => {
  /** All of them in one run, one after the other, with an honest contract at the end. */
  const runOf = (cases: readonly (readonly [what: string, code: string, ...words: string[]])[]) =>
    once(() => evaluated([...cases.map(([what, code]) => contractOf(code, what)), contractOf(honest, "honest")]));
  const [hostileRun, declarationsRun] = [runOf(hostile), runOf(Object.entries(declarations))];

  test.each(hostile)("%s", async (what, _, ...words) => {
    const own = ofSkill(await hostileRun(), what);
    expect(words).toContain(wordOf(own));
    for (const { fault, severity, holds } of own.results.filter(({ fault: code }) => code !== null))
      expect({ fault, severity, holds }).toEqual({ fault, severity: "HARD", holds: false });
  });

  test.each(Object.keys(declarations))("a declaration with %s is contract.unreadable", async (what) => {
    expect(wordOf(ofSkill(await declarationsRun(), what))).toBe("contract.unreadable");
  });

  test("after all of them the next contract is asked as ever", async () => {
    expect(wordOf(ofSkill(await hostileRun(), "honest"))).toBe("true");
    expect(wordOf(ofSkill(await declarationsRun(), "honest"))).toBe("true");
  });

  test.each(bombs)("%s", async (what, code, ...words) => {
    const evaluation = await evaluated([contractOf(code, what), contractOf(honest, "honest")]);
    const own = wordOf(ofSkill(evaluation, what));
    expect(words).toContain(own);
    // On a slow machine one may have to be ended with its thread.
    const fair = own === "contract.timeout" ? ["true", "contract.crashed"] : ["true"];
    expect(fair).toContain(wordOf(ofSkill(evaluation, "honest")));
  });

  test("64 predicates are not too many", async () => {
    const code = `export default { name: "n", version: "1", preconditions: Array(64).fill({ name: "a", severity: "HARD", check: () => true }) };`;
    expect((await evaluated([code])).results).toHaveLength(64);
  });
});

describe("SC-10, invariant 5: there is nothing of the host inside", () => {
  const absent =
    `process require module exports __filename __dirname global window self document navigator fetch XMLHttpRequest
    WebSocket EventSource WebAssembly setTimeout setInterval setImmediate clearTimeout queueMicrotask structuredClone
    console performance crypto Buffer TextDecoder URL Worker postMessage parentPort Deno Bun std os scriptArgs print load
    Atomics gc bjson __loadScript`.split(/\s+/);

  test("no name of a host is known, by whatever way one looks", async () => {
    const ways = [
      `(name) => typeof globalThis[name]`,
      `(name) => typeof Function("return this")()[name]`,
      `(name) => (0, eval)("typeof " + name)`,
      `(name) => typeof [].constructor.constructor("return this")()[name]`,
      `(name) => typeof (async () => {}).constructor("return this").constructor("return this")()[name]`,
      `(name) => typeof (function* () {}).constructor("return this").constructor("return this")()[name]`,
    ];
    const check = `() => { const found = [${ways.join(",")}].flatMap((way) => ${JSON.stringify(absent)}.filter((name) => way(name) !== "undefined")); return { holds: found.length === 0, reason: found.join() }; }`;
    const { results } = await evaluated([contractWith(check)]);
    expect(results).toMatchObject([{ holds: true, fault: null, reason: null }]);
  });

  test("globals are the language's own, and import.meta and errors name nothing of this machine", async () => {
    const check = `() => ({ holds: true, reason: [Object.keys(import.meta), import.meta.url, new Error("x").stack, Object.keys(globalThis)].join("|") })`;
    const { results } = await evaluated([contractWith(check)]);
    expect(results[0]?.reason).toContain("contract.js");
    expect(results[0]?.reason).not.toMatch(/\/|file:|node_modules|dist/);
  });

  test("the same question has the same answer: no clock, no zone, no chance", async () => {
    const check = `() => ({ holds: true, reason: [Date.now(), new Date().toISOString(), new Date(0).getTimezoneOffset(), new Date(2026, 6, 1).toISOString(), Math.random(), Math.random()].join() })`;
    const [first, second] = [await evaluated([contractWith(check)]), await evaluated([contractWith(check)])];
    expect(first.results[0]?.reason).toMatch(/^0,1970-01-01T00:00:00\.000Z,0,2026-07-01T00:00:00\.000Z,0\.\d+,0\.\d+$/);
    expect(second.results).toEqual(first.results);
  });

  test("the zone of the machine is not known either", () => {
    const check = "() => ({ holds: true, reason: String(new Date(2026, 6, 1)) })";
    const script = `import { Worker } from "node:worker_threads";
      const worker = new Worker(new URL(${JSON.stringify(new URL("../../dist/contract-worker.js", import.meta.url).href)}), { execArgv: [] });
      const open = { step: "open", code: ${JSON.stringify(contractWith(check))}, facts: "{}", milliseconds: 1000 };
      const steps = [{ step: "engine" }, open, { step: "ask", predicate: 0, milliseconds: 1000 }];
      const next = () => worker.postMessage({ number: 0, asked: JSON.stringify(steps.shift()) });
      worker.on("message", ({ answer }) => (steps.length > 0 ? next() : (console.log(answer), worker.terminate())));
      next();`;
    const given = ["--input-type=module", "--eval", script];
    const said = execFileSync(process.execPath, given, { env: { TZ: "Asia/Tokyo" }, encoding: "utf8" });
    expect(said).toContain("Wed Jul 01 2026 00:00:00 GMT+0000");
  });

  test("the thread has no environment, no arguments and no options of this process", async () => {
    const folder = mkdtempSync(join(tmpdir(), "contract-thread-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = `import { parentPort, resourceLimits } from "node:worker_threads";
      parentPort.on("message", ({ number }) => {
        const { env, execArgv, argv } = process;
        parentPort.postMessage({ number, answer: { env: { ...env }, execArgv, more: argv.slice(2), resourceLimits } });
      });`;
    writeFileSync(join(folder, "contract-worker.js"), program);
    writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
    const thread = threadsBeside(pathToFileURL(`${folder}/`).href).open("contract-worker");
    const seen = await thread?.ask("x");
    await thread?.close();
    expect(seen).toMatchObject({ env: {}, execArgv: [], more: [], resourceLimits: { maxOldGenerationSizeMb: 96 } });
    expect(Object.keys((seen as { env: object }).env)).toEqual([]);
  });
});

describe("T33: tampering with the language spoils none but the contract's own answers", () => {
  /** Each of them, and behind each of them an honest contract. */
  const together = once(() => {
    const codes = Object.entries(tricks).flatMap(([what, before]) => [
      contractOf(contractWith("() => false", { before }), what),
      contractOf(honest, `behind ${what}`),
    ]);
    return evaluated(codes);
  });

  test.each(Object.keys(tricks))("%s", async (what) => {
    expect(wordOf(ofSkill(await together(), what))).toBe("false");
    expect(wordOf(ofSkill(await together(), `behind ${what}`))).toBe("true");
  });

  test("contracts share nothing: not a global, not a prototype, not a symbol", async () => {
    const mark = `globalThis.marked = (globalThis.marked ?? 0) + 1; Object.prototype.marked = 1; Symbol.for("x").description; JSON.marked = 1;`;
    const check = `() => ({ holds: globalThis.marked === 1 && Object.keys(JSON).join() === "marked" })`;
    const again = contractWith(
      `() => globalThis.marked === undefined && ({}).marked === undefined && JSON.marked === undefined`,
    );
    const codes = [contractWith(check, { before: mark }), again, contractWith(check, { before: mark })];
    expect(wordOf(await evaluated(codes))).toBe("true true true");
  });
});

describe("SC-10: time", () => {
  const endless = {
    "an endless loop at the top": `for (;;) {}`,
    "an endless loop in a predicate": contractWith(`() => { for (;;) {} }`),
    "one that catches everything": contractWith(`() => { for (;;) try { for (;;) {} } finally { continue; } }`),
    "a regular expression": contractWith(`() => /^(a+)+$/.test("a".repeat(40) + "b")`),
    "an answer that takes for ever to read": contractWith(`() => ({ get holds() { for (;;) {} } })`),
    "an error that takes for ever to read": contractWith(`() => { throw { get message() { for (;;) {} } }; }`),
    "a declaration that takes for ever": `export default { get name() { for (;;) {} }, version: "1" };`,
  };
  const together = once(() => {
    const codes = Object.entries(endless).map(([what, code]) => contractOf(code, what));
    return evaluated([...codes, contractOf(honest, "honest")], { less: { step: 400 } });
  });

  test.each(Object.keys(endless))("%s is contract.timeout, and the next contract is asked", async (what) => {
    expect(wordOf(ofSkill(await together(), what))).toBe("contract.timeout");
    expect(wordOf(ofSkill(await together(), "honest"))).toBe("true");
  });

  test.concurrent.each([
    ["filling", contractWith(`() => { const a = new Uint8Array(3e7); for (;;) a.fill(1); }`)],
    ["searching", contractWith(`() => { const a = []; a.length = 4294967295; return a.indexOf(1) > 0; }`)],
    ["a reply without end", contractWith(`() => ({ toJSON() { return { toJSON: this.toJSON, more: [this] }; } })`)],
  ])("%s, which the engine cannot interrupt, ends with its thread; the next run works", async (_, code) => {
    const { threads, opened, closed } = counted(published);
    const evaluation = await evaluated([code, contractOf(honest, "harbour/honest")], {
      less: { step: 400, slack: 400 },
      threads,
    });
    expect(evaluation.results).toMatchObject([{ fault: "contract.timeout", holds: false, severity: "HARD" }]);
    expect(evaluation.faults).toMatchObject([{ code: "contract.crashed", skill: "harbour/honest" }]);
    expect([opened, closed]).toEqual([["contract-worker"], ["contract-worker"]]);
    expect(wordOf(await evaluated([honest]))).toBe("true");
  });

  test.concurrent("the caps that nobody set are 1 s for a predicate", async () => {
    const { milliseconds, ...said } = await evaluated([contractWith(`() => { for (;;) {} }`)], {
      less: { step: 60_000 },
    });
    expect(wordOf({ ...said, milliseconds })).toBe("contract.timeout");
    expect(milliseconds).toBeGreaterThan(950);
  });

  test.concurrent("all together have what is left of the spawn's time, and no more", async () => {
    const slow = contractWith(`() => { for (;;) {} }`);
    const evaluation = await evaluated([slow, slow, honest, honest], { less: { step: 250 }, milliseconds: 400 });
    expect(new Set(wordOf(evaluation).split(" "))).toEqual(new Set(["contract.timeout"]));
    expect(wordOf(await evaluated([honest], { milliseconds: 0 }))).toBe("contract.timeout");
    expect(wordOf(await evaluated([honest], { milliseconds: Number.NaN }))).toBe("contract.timeout");
  });
});

describe("SC-10: the executor", () => {
  test("one thread for all contracts of a run, ended afterwards", async () => {
    const { threads, opened, closed } = counted(published);
    expect(wordOf(await evaluated([honest, honest, `throw 1`], { threads }))).toBe("contract.unreadable true true");
    expect([opened, closed]).toEqual([["contract-worker"], ["contract-worker"]]);
  });

  test("without a contract no thread is opened", async () => {
    const { threads, opened } = counted(published);
    expect(await evaluated([], { threads })).toEqual({ results: [], faults: [], milliseconds: 0 });
    expect(opened).toEqual([]);
  });

  test("without the program of the thread nothing runs", async () => {
    const before = contractWith("() => true", { before: "globalThis.contractRan = true;" });
    const evaluation = await evaluated([before], { threads: createWorld().threads });
    expect(wordOf(evaluation)).toBe("contract.crashed");
    expect("contractRan" in globalThis).toBe(false);
  });

  test("more facts than a contract can hold are no answer", async () => {
    const { threads, opened } = counted(published);
    expect(wordOf(await evaluated([honest], { threads, facts: { task: "x".repeat(5e6) } }))).toBe("contract.memory");
    expect(opened).toEqual([]);
    const large = { facts: { task: `${"é\u0000\ud800".repeat(5e4)}"` } };
    const check = `({ task }) => task.length === 150001 && task.startsWith("é\\u0000\\ud800")`;
    expect(wordOf(await evaluated([contractWith(check)], large))).toBe("true");
  });

  test("many contracts that fill their memory do not fill the host's", async () => {
    const bomb = contractWith(`() => { const a = []; for (;;) a.push(new ArrayBuffer(2 ** 20)); }`);
    const evaluation = await evaluated([...Array<string>(6).fill(bomb), honest]);
    expect(evaluation.results.at(-1)).toMatchObject({ holds: true });
  });
});
