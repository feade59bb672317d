import { describe, expect, test } from "vitest";
import { accepted, sayingTurns, SpawnRoom } from "../../../test/scope/spawn-room.ts";
import { sha256 } from "../../core/digest.ts";
import {
  type ContractExecutor,
  contractMilliseconds,
  type Evaluation,
  type Phase,
  type PredicateResult,
} from "../../scope/contract/contract.ts";

type Asked = Parameters<ContractExecutor["evaluate"]>[0];

function room(): SpawnRoom {
  const made = new SpawnRoom("read", "spawn");
  const code = "export default {}";
  made.addSkill("held", { allowedTools: ["read", "spawn"] }, { contract: { digest: sha256(Buffer.from(code)), code } });
  made.addSkill("free");
  return made;
}

function says(patch: Partial<PredicateResult>): Evaluation {
  const result = {
    skill: "session/held",
    name: "p",
    severity: "HARD",
    holds: false,
    reason: "no",
    fault: null,
  } as const;
  return { results: [{ ...result, kind: "preconditions", ...patch }], faults: [], milliseconds: 10 };
}

const holds: Evaluation = says({ holds: true, reason: null });

/** An executor that answers by phase, and what it was asked. */
function executor(answers: Partial<Record<Phase, Evaluation>>): ContractExecutor & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    evaluate: async (question) => {
      asked.push(question);
      return answers[question.phase] ?? holds;
    },
  };
}

const codes = ({ findings }: { readonly findings: readonly { code: string; level: string }[] }) =>
  findings.map(({ code, level }) => `${code} ${level}`);

describe("contracts around spawn", () => {
  test("SC-10: asked before there is a session and on the result, with plain facts and what time is left", async () => {
    const home = room();
    const contracts = executor({});
    const outcome = await home.run(sayingTurns({ text: "the result" }), { task: "t", skills: ["held"] }, { contracts });
    expect([outcome.end, outcome.predicates.length]).toEqual(["finished", 2]);
    expect(contracts.asked).toMatchObject([
      { phase: "before", milliseconds: 10_000, facts: { task: "t", result: null } },
      { phase: "after", milliseconds: 9_990, facts: { task: "t", result: { text: "the result", end: "finished" } } },
    ]);
    expect(contracts.asked[0]?.facts.scope).toMatchObject({ skills: ["session/held"], allowed: ["read", "spawn"] });
    expect(contracts.asked[0]?.contracts).toMatchObject([{ skill: "session/held" }]);
    expect(JSON.parse(JSON.stringify(contracts.asked[1]?.facts))).toEqual(contracts.asked[1]?.facts);
  });

  test("SC-11: a HARD precondition refuses the spawn before a session exists; a SOFT one is a finding", async () => {
    const home = room();
    const model = sayingTurns();
    const hard = await home
      .spawner(model, { contracts: executor({ before: says({}) }) })
      .spawn({ task: "t", skills: ["held"] });
    expect(hard.status).toBe("forbidden");
    expect("findings" in hard && codes(hard)).toEqual(["contract.failed high"]);
    expect([model.requests.length, home.told("spawn.started"), home.time.timers]).toEqual([0, [], 0]);
    const contracts = executor({ before: says({ severity: "SOFT" }) });
    const soft = accepted(await home.spawner(model, { contracts }).spawn({ task: "t", skills: ["held"] }));
    expect(codes(soft)).toEqual([expect.stringMatching(/^contract\.soft (?:low|medium)$/)]);
    expect((await soft.done).end).toBe("finished");
  });

  test.each(["invariants", "postconditions"] as const)(
    "SC-11: HARD %s make the end failed, SOFT ones a finding",
    async (kind) => {
      const home = room();
      const run = (patch: Partial<PredicateResult>) =>
        home.run(
          sayingTurns({ text: "r" }),
          { skills: ["held"] },
          { contracts: executor({ after: says({ kind, ...patch }) }) },
        );
      const hard = await run({});
      expect([hard.end, hard.text, codes(hard)]).toEqual(["failed", "r", ["contract.failed high"]]);
      const soft = await run({ severity: "SOFT" });
      expect([soft.end, codes(soft)]).toEqual(["finished", [expect.stringMatching(/^contract\.soft /)]]);
    },
  );

  test("SC-11: a contract that cannot be asked is HARD: a fault, an executor that fails, none at all", async () => {
    const home = room();
    const fault = { code: "contract.timeout", skill: "session/held", message: "too slow" } as const;
    const faulty = executor({ before: { results: [], faults: [fault], milliseconds: 10_000 } });
    const broken: ContractExecutor = { evaluate: () => Promise.reject(new Error("gone")) };
    const statuses = [];
    for (const parts of [{ contracts: faulty }, { contracts: broken }, {}]) {
      const spawned = await home.spawner(sayingTurns(), parts).spawn({ task: "t", skills: ["held"] });
      statuses.push([spawned.status, "findings" in spawned && codes(spawned)[0]?.split(" ")[0]]);
    }
    expect(statuses).toEqual([
      ["forbidden", "contract.timeout"],
      ["forbidden", "contract.crashed"],
      ["forbidden", "contract.crashed"],
    ]);
    expect(home.told("spawn.started")).toEqual([]);
    const after = executor({ after: { results: [], faults: [fault], milliseconds: 1 } });
    expect(await home.run(sayingTurns(), { skills: ["held"] }, { contracts: after })).toMatchObject({ end: "failed" });
  });

  test("SC-10: when no time is left, none is given", async () => {
    const home = room();
    const contracts = executor({ before: { ...holds, milliseconds: contractMilliseconds + 1 } });
    await home.run(sayingTurns({ text: "r" }), { skills: ["held"] }, { contracts });
    expect(contracts.asked.map(({ milliseconds }) => milliseconds)).toEqual([contractMilliseconds, 0]);
  });

  test("SC-10: skills without a contract ask nobody; what ended without a result is not judged", async () => {
    const home = room();
    const contracts = executor({});
    await home.run(sayingTurns(), { skills: ["free"] }, { contracts });
    expect(contracts.asked).toEqual([]);
    const failing = sayingTurns(() => Promise.reject(new Error("no")));
    expect((await home.run(failing, { skills: ["held"] }, { contracts })).end).toBe("failed");
    expect(contracts.asked.map(({ phase }) => phase)).toEqual(["before"]);
  });

  test("SC-10: the time of a spawn holds for its contracts too", async () => {
    const home = room();
    const contracts: ContractExecutor = {
      evaluate: ({ phase }) => (phase === "before" ? Promise.resolve(holds) : new Promise(() => {})),
    };
    const { done } = accepted(
      await home.spawner(sayingTurns({ text: "r" }), { contracts }).spawn({ task: "t", skills: ["held"], timeout: 50 }),
    );
    for (let at = 0; at < 100; at++) await Promise.resolve();
    home.time.advance(50);
    expect(await done).toMatchObject({ end: "timeout", text: "r" });
  });
});
