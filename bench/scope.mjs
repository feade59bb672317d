/**
 * What scopes cost.
 *
 *   node bench/scope.mjs [--rounds 15]
 *
 * 1. `validate` against a host's tools and `compose` of 2 to 1,000 registered skills; the same `validate` of skills that
 *    were registered a moment ago, and the first decision under a new scope, which reads it. Beside it, in the same run,
 *    `JSON.parse` of the text of the same definitions.
 * 2. Decisions of the gate under 10 and 1,000 groups; beside it a `Set` lookup of the same tool's name.
 */
import { version } from "node:process";
import { parseArgs } from "node:util";
import { loadInternals } from "./internals.mjs";
import { interleave, median, ownTime, printTable, ratio, times } from "./measure.mjs";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "15" } } });
const rounds = Number(options.rounds);
const { createCapabilities, decideCall } = await loadInternals({ isWorker: false });

const goals = { skills: 100, milliseconds: 1, decisionMicroseconds: 20 };
const shared = ["read", "list", "search", "edit", "Bash(git:*)", "Bash(npm run test)", "Read(docs/**)"];
const catalogue = ["read", "list", "search", "write", "edit", "shell", "mcp__hub__get", "mcp__hub__delete"];
/** All that the skills allow: a host that lacked something would refuse the set. */
const wholeCatalogue = [...catalogue, ...Array.from({ length: 50 }, (_, at) => `mcp__part${at}__look`)];
const isFewer = (size) => size <= 100;

console.log(`node ${version}; user+system CPU; medians of ${rounds} rounds`);
showComposing();
showDeciding();

/** Every tenth and the one after it require each other; some forbid a tool, or some paths. */
function definitionAt(at) {
  const partner = at % 10 === 0 ? at + 1 : at % 10 === 1 ? at - 1 : null;
  return {
    name: `skill-${at}`,
    description: `Number ${at}: looks after one part of a repository and says what it found.`,
    allowedTools: [...shared, `Bash(part-${at % 50} check:*)`, `mcp__part${at % 50}__look`],
    forbiddenTools: at % 7 === 0 ? ["mcp__hub__delete", `Edit(parts/${at}/**)`] : [],
    executionProtocol: ["plan", "Look at what changed.", `check-part-${at}`, "report"],
    compatibilityRules:
      partner === null ? [] : [{ type: "requires", skill: `skill-${partner}`, reason: "They share." }],
  };
}

function registered(size) {
  const registry = createCapabilities();
  const definitions = Array.from({ length: size }, (_, at) => definitionAt(at));
  for (const definition of definitions) registry.register(definition);
  return { registry, definitions, names: definitions.map(({ name }) => name) };
}

function showComposing() {
  const rows = [2, 10, 100, 1_000].map(composingOf);
  console.log();
  printTable(
    [
      "skills",
      "validate ms",
      "compose ms",
      "together",
      "first validate",
      "first decision",
      "JSON.parse",
      "together/JSON",
    ],
    rows,
  );
  console.log(`\ngoal: ${goals.skills} skills validated and composed in < ${goals.milliseconds} ms`);
}

function composingOf(size) {
  const { registry, definitions, names } = registered(size);
  const text = JSON.stringify(definitions);
  const runs = isFewer(size) ? 2_000 / size : 4;
  const reader = hostOf(["read"]);
  const scopes = Array.from({ length: rounds * runs }, () => registry.compose(names));
  const host = { catalogue: wholeCatalogue };
  if (registry.validate(names, host).errors.length > 0) throw new Error("the set cannot be used");
  const samples = interleave(
    {
      validate: () => each(runs, () => registry.validate(names, host)),
      anew: () => {
        const { registry: other } = registered(size);
        return ownTime(() => other.validate(names, host));
      },
      compose: () => each(runs, () => registry.compose(names)),
      first: () => each(runs, () => decideCall(reader, scopes.pop(), [], { tool: "read" })),
      json: () => each(runs, () => JSON.parse(text)),
    },
    rounds,
  );
  const together = samples.validate.map((value, round) => value + samples.compose[round]);
  const columns = [samples.validate, samples.compose, together, samples.anew, samples.first, samples.json];
  return [
    size.toLocaleString("en"),
    ...columns.map((values) => median(values).toFixed(3)),
    times(ratio(together, samples.json)),
  ];
}

function showDeciding() {
  const calls = {
    "a plain tool": { tool: "read", paths: ["src/a.ts"] },
    "a command that fits": { tool: "shell", command: "git log -1 --format=%h" },
    "a command that does not": { tool: "shell", command: "git status; rm -rf ." },
    "a path that is not forbidden": { tool: "edit", paths: ["src/use/scope.ts"] },
    "not allowed": { tool: "write", paths: ["src/a.ts"] },
    forbidden: { tool: "mcp__hub__delete" },
    "no such tool": { tool: "Read" },
  };
  const rows = [10, 1_000].flatMap((size) => {
    const { registry, names } = registered(size);
    const scope = registry.compose(names, { strict: true });
    return Object.entries(calls).map(([what, call]) => decidingOf(scope, what, call));
  });
  console.log();
  printTable(["decision", "groups", "verdict", "µs", "per second", "Set lookup µs", "ratio"], rows);
  console.log(`\ngoal: a decision in < ${goals.decisionMicroseconds} µs`);
}

function decidingOf(scope, what, call) {
  const runs = 2_000;
  const host = hostOf(catalogue);
  const decide = () => decideCall(host, scope, [], call);
  const { verdict } = decide();
  let found = 0;
  const lookUp = () => {
    if (host.catalogue.has(call.tool)) found++;
  };
  const samples = interleave(
    // A lookup is too quick to be timed as few times as a decision.
    { gate: () => each(runs, decide) * 1000, lookup: () => each(runs * 100, lookUp) * 1000 },
    rounds,
  );
  if (found > runs * 100 * rounds) throw new Error("more was found than was looked for");
  const micros = median(samples.gate);
  const perSecond = Math.round(1e6 / micros).toLocaleString("en");
  const baseline = median(samples.lookup);
  return [
    what,
    scope.groups.length,
    verdict,
    micros.toFixed(2),
    perSecond,
    baseline.toFixed(4),
    times(micros / baseline),
  ];
}

function hostOf(tools) {
  return { catalogue: new Set(tools), word: () => "allow" };
}

/** Milliseconds that one run takes, as the mean of several. */
function each(runs, act) {
  return (
    ownTime(() => {
      for (let run = 0; run < runs; run++) act();
    }) / runs
  );
}
