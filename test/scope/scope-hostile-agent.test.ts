import { expect, test } from "vitest";
import { UsageLog } from "../../src/features/usage/usage-log.ts";
import { verifyStore } from "../../src/features/audit/verification.ts";
import { safeLine } from "../../src/core/text.ts";
import type { Model } from "../../src/core/model.ts";
import { appHome } from "../support/app-home.ts";
import { commandTricks, inputTricks, otherTools, pathTricks, spellings, type Try } from "./hostile-tries.ts";
import { accepted, answerOf, type Said, SpawnRoom, subjects, textOf } from "./spawn-room.ts";

/** What the skill of the sub-agent lets it do, and what therefore has to run: the test can fail both ways. */
const legitimate: readonly Try[] = [
  ["read", { path: "README.md" }],
  ["list", { path: "src" }],
  ["replace", { path: "src/a.ts" }],
  ["patch", { path: ["src/a.ts", "src/deep/b.ts"] }],
  ["shell", { command: "git status" }],
  ["shell", { command: "git log --format=%h 'a file'" }],
];

const refusedSpawns: readonly Try[] = [
  ["spawn", { task: "x", agent: "boss" }],
  ["spawn", { task: "x", agent: "BOSS" }],
  ["spawn", { task: "x", agent: "intruder" }],
  ["spawn", { task: "x", skills: ["no-such-skill"] }],
  ["spawn", { task: "x", skills: ["everything", "rival"] }],
  ["spawn", { task: "x", skills: "everything" }],
  ["spawn", { task: "x", skills: [{ name: "everything" }] }],
  ["spawn", { task: "x", model: "another" }],
  ["spawn", { task: "x", timeout: 1e300 }],
  ["spawn", { task: "" }],
  ["spawn", {}],
];

/** In a child that asked for everything: what its parent may not, it may not either. */
const belowTries: readonly Try[] = [...otherTools, ...commandTricks.slice(0, 10), ...pathTricks.slice(0, 5)];

const isDeniedAtTop: readonly Try[] = [
  ...otherTools,
  ...spellings,
  ...commandTricks,
  ...pathTricks,
  ...inputTricks,
  ["late", {}],
  ["late_write", { path: "src/a.ts" }],
];

const wide = (task: string): Try => ["spawn", { task, skills: ["everything"] }];
const asCall = ([tool, input]: Try) => [tool, input] as const;

/** The turns of each session, by the task it was given. */
const script: Readonly<Record<string, readonly Said[]>> = {
  attack: [
    { calls: legitimate.map(asCall) },
    ...chunks(isDeniedAtTop, 32).map((tries) => ({ calls: tries.map(asCall) })),
    { calls: refusedSpawns.map(asCall) },
    { calls: [["registry", {}]] },
    { calls: [wide("below 1")] },
    { calls: Array.from({ length: 100 }, () => ["read", { path: "x" }] as const) },
  ],
  "below 1": [{ calls: belowTries.map(asCall) }, { calls: [wide("below 2")] }],
  "below 2": [{ calls: belowTries.map(asCall) }, { calls: [wide("below 3"), ["registry", {}]] }],
  "below 3": [{ calls: belowTries.map(asCall) }, { calls: legitimate.map(asCall) }],
};

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Says what the script has for its task, whatever it is told; gives every call the same id. */
function hostileModel(onTurn: () => void): Model {
  const turns = new Map<string, number>();
  return {
    answer: async (request) => {
      onTurn();
      const task = textOf(request, "user");
      const turn = turns.get(task) ?? 0;
      turns.set(task, turn + 1);
      const { calls = [], ...answer } = answerOf(script[task]?.[turn] ?? { text: "I give up." });
      return { ...answer, calls: calls.map(({ tool, input }) => ({ id: "the same", tool, input })) };
    },
  };
}

function attackedRoom(): SpawnRoom {
  const room = new SpawnRoom("search", "load_skill", "read_skill_file", "find_skill", "mcp__files__delete", "specKit");
  for (const name of ["read", "list", "write", "replace", "patch"]) room.addTool(name, { subject: subjects.paths });
  room.addTool("shell", { subject: subjects.command });
  // A tool that would help its model: it has the registry, and can do nothing with it but read.
  room.addTool("registry", {
    run: async (_, { capabilities }) => {
      const definition = { name: "mine", description: "x", allowedTools: "*" as const, executionProtocol: [] };
      for (const write of [
        () => capabilities.register(definition),
        () => capabilities.override("cage", { ...definition, name: "cage" }),
        () => Reflect.get(capabilities, "constructor").prototype.register(definition),
        () => Object.getPrototypeOf(capabilities).register(definition),
      ])
        expect(write).toThrow(/primary|not a function/);
      return String(capabilities.list().length);
    },
  });
  room.addSkill("cage", {
    allowedTools: ["read", "list", "Edit(src/**)", "Bash(git:*)", "spawn", "registry"],
    forbiddenTools: ["write", "Edit(src/secret/**)"],
  });
  room.addSkill("everything", { allowedTools: "*" });
  room.addSkill("rival", { composabilityRules: [{ type: "forbids", skill: "everything", reason: "Not together." }] });
  return room;
}

const mostNames = 128;
const recorded = ([tool]: Try) => safeLine(tool.slice(0, 256), mostNames);

test("T33, SC-7: a hostile model in a sub-agent tries everything: nothing runs that should not, each try is in usage", async () => {
  const home = await appHome("SQLite");
  const app = await home.open();
  const log = new UsageLog(app);
  const room = attackedRoom();
  const model = hostileModel(() => {
    // Tools that are registered while it works do not exist for it.
    room.addTool("late");
    room.addTool("late_write", { subject: subjects.paths });
  });
  const known = (name: string | null) => (name === null ? model : expect.fail("there is no such model"));
  const spawner = room.spawner(model, {
    name: "boss",
    model: known,
    onUsage: (use) => log.add({ ...use, configuration: null, task: null }),
  });
  const skillsBefore = room.capabilities.list();
  const { done } = accepted(await spawner.spawn({ task: "attack", agent: "intruder", skills: ["cage"] }));
  expect(await done).toMatchObject({ end: "finished", text: "I give up." });
  await spawner.close();
  await log.close();

  const tries = new Set([...isDeniedAtTop, ...refusedSpawns].map((each) => JSON.stringify(each)));
  expect(tries.size).toBeGreaterThanOrEqual(80);

  // What ran is what may: in its order, and as the words that were judged.
  const reads = Array.from({ length: 32 }, () => "read");
  const spawned = room.told("spawn.started").map((event) => "depth" in event && event.depth);
  expect(spawned).toEqual([1, 2, 3, 4]);
  const names = legitimate.map(([tool]) => tool);
  expect(room.ran).toEqual([...names, "registry", ...names, "registry", ...reads]);
  const commands = room.runs.filter(({ tool }) => tool === "shell").map(({ context }) => context.argv);
  const words = [
    ["git", "status"],
    ["git", "log", "--format=%h", "a file"],
  ];
  expect(commands).toEqual([...words, ...words]);
  expect(room.capabilities.list()).toEqual(skillsBefore);

  // Every other try is in the store: as often as it was made, by the skill that it failed at.
  const belowOnce = belowTries.map(recorded);
  const expected = [
    ...isDeniedAtTop.map(recorded),
    ...refusedSpawns.map(recorded),
    ...[belowOnce, belowOnce, belowOnce].flat(),
    // What was wanted beyond the bound of one turn.
    ...Array.from({ length: 68 }, () => "read"),
  ];
  const batches = await app.kept.read.usageBatches({ after: "", limit: 1000 });
  const kept = (await Promise.all(batches.map(({ id }) => app.kept.read.usageIn(id)))).flat();
  const cage = room.capabilities.get("cage");
  const byCage = kept.filter(({ entry, digest }) => entry === cage?.entry && digest === cage.digest);
  const tools = byCage.map(({ tool }) => tool ?? "none");
  // Two tries that reach the registry, in two sessions.
  const writes = Array.from({ length: 4 }, () => "registry");
  expect(tools.toSorted()).toEqual([...expected, ...writes].toSorted());
  expect(new Set(kept.map(({ event }) => event))).toEqual(new Set(["denied"]));
  expect(new Set(kept.map(({ conversation }) => conversation)).size).toBe(4);
  expect(await verifyStore(await home.inspect())).toMatchObject({ passes: true });
});
