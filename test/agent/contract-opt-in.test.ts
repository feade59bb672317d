import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createContractExecutor } from "../../src/scope/sandbox/contract-executor.ts";
import { folderCandidates } from "../../src/features/scopes/candidates.ts";
import { registerCandidate } from "../../src/features/scopes/scope-set.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { hostTools } from "../../src/scope/tools/tools.ts";
import { createSpawner } from "../../src/agent/spawn/spawner.ts";
import { createCapabilities } from "../../src/scope/registry.ts";
import { counted, published } from "./contract-room.ts";

const examples = fileURLToPath(new URL("../../examples/skills", import.meta.url));
const when = "Write up the outage of 2026-03-04";

/** A primary that loads the example skills, with or without their contracts, and counts what it starts. */
async function primary(allowContract: boolean | undefined) {
  const world = createWorld();
  const { threads, opened, closed } = counted(published);
  const capabilities = createCapabilities();
  const candidates = await folderCandidates(world, examples, { allowContract });
  for (const candidate of candidates.all) registerCandidate(capabilities, candidate);
  const asked = { models: 0 };
  const model = {
    answer: async () => {
      asked.models++;
      return { text: "It was human error", finish: "stop", tokens: { input: null, output: null } } as const;
    },
  };
  const contracts = createContractExecutor({ ...world, threads });
  const tools = new Map(
    hostTools.map((name) => [name, { name, description: name, inputSchema: {}, run: async () => "" }]),
  );
  const { clock, stopwatch, timer, random } = world;
  const time = { clock, stopwatch, timer, random };
  const spawner = createSpawner({ ...time, capabilities, tools, model: () => model, contracts });
  const spawn = (task: string) => spawner.spawn({ task, skills: ["folder/incident-postmortem"] });
  return { spawn, opened, closed, asked, findings: candidates.all.flatMap(({ findings }) => findings) };
}

test.each([undefined, false])(
  "SC-10: without opt-in (%s) a contract never starts an executor",
  async (allowContract) => {
    const { spawn, opened, asked, findings } = await primary(allowContract);
    expect(findings.map(({ code }) => code)).toContain("contract.inert");
    const spawned = await spawn("Hello");
    expect(spawned.status).toBe("accepted");
    const outcome = spawned.status === "accepted" ? await spawned.done : undefined;
    expect(outcome).toMatchObject({ end: "finished", predicates: [] });
    expect([opened, asked.models]).toEqual([[], 1]);
  },
);

test("SC-10, SC-11: with it, a HARD precondition refuses before a model is asked", async () => {
  const { spawn, opened, closed, asked } = await primary(true);
  const spawned = await spawn("Hello");
  expect(spawned).toMatchObject({
    status: "forbidden",
    findings: [{ code: "contract.failed" }, { code: "contract.soft" }],
  });
  expect([opened, closed, asked.models]).toEqual([["contract-worker"], ["contract-worker"], 0]);
});

test("SC-10, SC-11: with it, a HARD postcondition makes the outcome a failed one", async () => {
  const { spawn, opened, closed } = await primary(true);
  const spawned = await spawn(when);
  const outcome = spawned.status === "accepted" ? await spawned.done : undefined;
  expect(outcome).toMatchObject({ end: "failed", text: "It was human error" });
  expect(outcome?.findings.map(({ code }) => code)).toContain("contract.failed");
  expect([opened.length, closed.length]).toEqual([2, 2]);
});
