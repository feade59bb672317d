import type { OpenAgent } from "../../agent/evaluation/run-case.ts";
import { readEnvironment } from "../../app/config/config.ts";
import type { World } from "../../app/world/world.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Gate, MeasuredRouting } from "../../routing/evaluation/golden.ts";
import type { ConfusableReport } from "../../routing/evaluation/confusable.ts";
import { countOption, flagOf, listOption, refuseOptions, textOption } from "../command/call.ts";
import { type Call, type CommandGroup, type ExitCode, exit, json, type Run, storeOptions } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { progressOn } from "../command/render.ts";
import { jsonWithoutOrders, renderVisibleJson } from "../command/safe-output.ts";
import { withApp } from "../command/with-app.ts";
import type { GatedReport } from "./eval-routing.ts";
import {
  renderConfusable,
  renderEvaluation,
  renderMissedGates,
  renderRouting,
  renderSkillsEvaluation,
} from "./render.ts";

const loadWorld = () => import("../../app/world/world.ts");

export const evaluation: CommandGroup = {
  name: "eval",
  about: "how well something works, measured: scan, routing, skills",
  commands: [
    {
      name: "scan",
      about: "recall and false positives of the scanner on labelled texts",
      arguments: [{ form: "<file>", about: "lines of { id, set, label: malicious or benign, text }; .gz is unpacked" }],
      options: [{ flags: "--list", about: "also name what was missed and what was flagged wrongly, at high" }, json],
      examples: ["skillward eval scan eval/scan.jsonl", "skillward eval scan labelled.jsonl.gz --list --json"],
      run: async ({ args, options }, output) => {
        const [{ createWorld }, { evaluateScan }] = await Promise.all([loadWorld(), import("./eval-scan.ts")]);
        const [path = ""] = args;
        const every = 50;
        const measured = await evaluateScan(createWorld(), path, {
          list: options["list"] === true,
          onProgress: (done) => (done % every === 0 ? output.progress(`scanning: ${done}`) : undefined),
        });
        output.progress("");
        output.print(options["json"] === true ? renderVisibleJson(measured) : renderEvaluation(measured, output.style));
        return exit.fine;
      },
    },
    {
      name: "routing",
      about: "how often the right skill is chosen, and none where none fits; exit 1 below a threshold",
      arguments: [
        {
          form: "[golden...]",
          about:
            "lines of { query, expected: a skill, a list of them or null } or { query, not: [skills] }; .gz is unpacked",
        },
      ],
      options: [
        {
          flags: "--skills <place>",
          about:
            "choose among the skills of a folder or a .jsonl[.gz] pool instead of the registry's; repeat it for more",
          repeatable: true,
        },
        { flags: "--k <n>", about: "how many places MRR looks at", default: "10" },
        { flags: "--min-p1 <share>", about: "fail when the first one is right less often" },
        { flags: "--min-mrr <share>", about: "fail when the mean reciprocal rank is lower" },
        { flags: "--max-false-fire <share>", about: "fail when more of the negatives get a wrong skill" },
        { flags: "--min-coverage <share>", about: "fail when fewer of the positives get any skill" },
        { flags: "--min-n <n>", about: "refuse a set with fewer lines" },
        {
          flags: "--thresholds <file>",
          about: "the same as a file: { routing: { n, p1, mrr, falseFires, coverage } }",
        },
        {
          flags: "--confusable",
          about: "name skills whose descriptions cannot be told apart, and words that would tell",
        },
        { flags: "--html <file>", about: "write one page with figures, curves, confusions and misses" },
        { flags: "--keep <title>", about: "keep what came of it in the store, to be compared with other runs" },
        ...storeOptions,
      ],
      examples: [
        "skillward eval routing golden.jsonl --skills skills --min-p1 0.9 --max-false-fire 0.1",
        "skillward eval routing golden.jsonl --thresholds eval/thresholds.json --html report.html",
        "skillward eval routing --confusable --skills skills",
        'skillward eval routing golden.jsonl --keep "before the new descriptions"',
      ],
      run: (call, output) => {
        refuseNothingToDo(call);
        return listOption(call, "skills") === undefined ? measureRegistry(call, output) : measurePool(call, output);
      },
    },
    {
      name: "skills",
      about: "run cases through an agent and check what it does with skills; exit 1 below the rate",
      arguments: [{ form: "<dir>", about: "a folder with cases (*.case.yaml), or one case" }],
      options: [
        { flags: "--model <name>", about: "a configured model instead of the scripts of the cases" },
        { flags: "--runs <n>", about: "run each case so often, instead of what it says" },
        { flags: "--min-rate <share>", about: "of the runs of each case, how many have to pass", default: "1" },
        { flags: "--update", about: "write the golden transcripts that are missing or different" },
        {
          flags: "--allow-commands",
          about: "also run cases that allow themselves commands, on this machine: read them",
        },
        json,
      ],
      examples: [
        "skillward eval skills eval/agent --allow-commands",
        "skillward eval skills eval/agent --update",
        "skillward eval skills eval/agent --model anthropic/claude-sonnet --runs 5 --min-rate 0.8",
      ],
      run: async (call, output) => {
        const [{ createWorld }, { caseAgents }] = await Promise.all([loadWorld(), import("../agent/case-agent.ts")]);
        return evaluateWith(caseAgents(createWorld(), readEnvironment()))(call, output);
      },
    },
  ],
};

const measureRegistry: Run = withApp(async (app, call, output) => {
  const [{ Serving }, { keepEvaluation, measuredRegistry, requireKeeping, requireMeasuring }] = await Promise.all([
    import("../serving.ts"),
    import("./flow.ts"),
  ]);
  const serving = new Serving(app);
  try {
    const title = textOption(call, "keep");
    const keeping = title === undefined ? undefined : { title, permit: requireKeeping(app, title) };
    const counting = progressOn(output, "indexing");
    const permit = keeping?.permit ?? requireMeasuring(app);
    const measured = await measuredRegistry(app, permit, serving, {
      onProgress: ({ done, of }) => counting(done, of),
    });
    return await show(app.world, measured, call, output, async (report) => {
      if (keeping === undefined) return;
      const { id } = await keepEvaluation(app, keeping.permit, {
        title: keeping.title,
        generation: measured.generation,
        report,
      });
      output.note(`kept as ${id}`);
    });
  } finally {
    await serving.close();
  }
});

const measurePool: Run = async (call, output) => {
  const [{ createWorld }, { measuredPool, poolChain }, { openTypedPool }] = await Promise.all([
    loadWorld(),
    import("../routing/pool-routing.ts"),
    import("../routing/typed-pool.ts"),
  ]);
  const world = createWorld();
  refuseOptions(call, ["keep"], "is for the registry's own routing, and --skills measures another");
  const pool = await openTypedPool(world, call, output);
  return show(world, measuredPool(pool, poolChain(world)), call, output);
};

async function show(
  world: World,
  routing: MeasuredRouting,
  call: Call,
  output: Output,
  keep: (report: GatedReport) => Promise<void> = async () => {},
): Promise<ExitCode> {
  const { evaluateRouting } = await import("./eval-routing.ts");
  const gate = await gateOf(world, call);
  let measured: GatedReport | null = null;
  if (call.args.length > 0) {
    const k = countOption(call, "k") ?? 10;
    if (k > mostPlaces) throw new AppError("usage.invalid", `--k: expected at most ${mostPlaces}`);
    measured = await evaluateRouting(world, routing, call.args, { k, gate, onProgress: progressOn(output, "routing") });
    await keep(measured);
  }
  let confusable: ConfusableReport | null = null;
  if (call.options["confusable"] === true) {
    const { findConfusable } = await import("../../routing/evaluation/confusable.ts");
    confusable = await findConfusable(routing, { onProgress: progressOn(output, "comparing") });
  }
  if (measured !== null) await writePage(world, measured, call, output);
  print(measured, confusable, call, output);
  if (measured === null || measured.gate.passes) return exit.fine;
  output.note(renderMissedGates(measured.gate.missed));
  return exit.findings;
}

const mostPlaces = 100;

function refuseNothingToDo({ args, options }: Call): void {
  if (args.length > 0) return;
  if (options["confusable"] !== true)
    throw new AppError(
      "usage.invalid",
      "name a golden file, or ask for --confusable; see skillward eval routing --help",
    );
  for (const [option, does] of Object.entries({ html: "shows", keep: "keeps" }))
    if (options[option] !== undefined)
      throw new AppError("usage.invalid", `--${option} ${does} what a golden file says: name one`);
}

async function gateOf({ files }: World, call: Call): Promise<Gate> {
  const { loadGate, parseShare } = await import("./eval-routing.ts");
  const file = textOption(call, "thresholds");
  const shares = { minP1: "p1", minMrr: "mrr", maxFalseFire: "falseFires", minCoverage: "coverage" };
  const typed = Object.entries(shares).flatMap(([option, measure]) => {
    const text = textOption(call, option);
    return text === undefined ? [] : [[measure, parseShare(flagOf(option), text)] as const];
  });
  const n = countOption(call, "minN");
  return {
    ...(file === undefined ? {} : await loadGate(files, file)),
    ...Object.fromEntries(typed),
    ...(n === undefined ? {} : { n }),
  };
}

async function writePage({ files }: World, report: GatedReport, call: Call, output: Output): Promise<void> {
  const path = textOption(call, "html");
  if (path === undefined) return;
  const [{ renderRoutingPage }, { version }] = await Promise.all([
    import("./report/page.ts"),
    import("../../core/version.ts"),
  ]);
  await files.write(path, Buffer.from(renderRoutingPage(report, version)));
  output.note(`the report is in ${safeLine(path, 240)}`);
}

function print(report: GatedReport | null, confusable: ConfusableReport | null, call: Call, output: Output): void {
  if (call.options["json"] === true) {
    const value = { ...report, ...(confusable === null ? {} : { confusable }) };
    output.print(jsonWithoutOrders(renderVisibleJson(value)));
    return;
  }
  if (report !== null) output.print(renderRouting(report, output.style));
  if (report !== null && confusable !== null) output.print("");
  if (confusable !== null) output.print(renderConfusable(confusable, output.style));
}

/** `eval skills` with another agent, for tests. */
export function evaluateWith(agent: OpenAgent): Run {
  return async (call, output) => {
    const [{ createWorld }, { evaluateSkills }, { parseShare }] = await Promise.all([
      loadWorld(),
      import("./eval-skills.ts"),
      import("./eval-routing.ts"),
    ]);
    const { files, folders } = createWorld();
    const runs = await runsOf(call);
    const result = await output.untilInterrupted((signal) =>
      evaluateSkills({ files, folders, openAgent: agent }, call.args[0] ?? "", {
        model: textOption(call, "model"),
        runs,
        minRate: parseShare("--min-rate", textOption(call, "minRate") ?? "1"),
        update: call.options["update"] === true,
        allowCommands: call.options["allowCommands"] === true,
        signal,
        onProgress: (done, total, name) => output.progress(`case ${done + 1} of ${total}: ${name}`),
      }),
    );
    output.progress("");
    output.print(
      call.options["json"] === true
        ? jsonWithoutOrders(renderVisibleJson(result))
        : renderSkillsEvaluation(result, output.style),
    );
    if (result.findings.length > 0) return exit.usage;
    return result.passes ? exit.fine : exit.findings;
  };
}

async function runsOf(call: Call): Promise<number | undefined> {
  const { mostRuns } = await import("../../agent/evaluation/skill-case.ts");
  const runs = countOption(call, "runs");
  if (runs === undefined || runs <= mostRuns) return runs;
  throw new AppError("usage.invalid", `--runs: expected at most ${mostRuns}`);
}
