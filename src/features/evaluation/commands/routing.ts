import { evaluateRouting, type GatedReport } from "../eval-routing.ts";
import { keepEvaluation, measuredRegistry, requireKeeping } from "../evaluations.ts";
import { measuredPool, poolChain } from "../../routing/pool-routing.ts";
import { loadGate, parseShare } from "../routing-gate.ts";
import { Serving } from "../../serving.ts";
import { createWorld, type World } from "../../../app/world/world.ts";
import { AppError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text.ts";
import { type ConfusableReport, findConfusable } from "../../../routing/evaluation/confusable.ts";
import type { Gate, MeasuredRouting } from "../../../routing/evaluation/golden.ts";
import type { RoutingReport } from "../../../routing/evaluation/report.ts";
import { jsonWithoutOrders } from "../../command/build-log.ts";
import { countOption, flagOf, listOption, refuseOptions, textOption } from "../../command/call.ts";
import { type Call, type ExitCode, exit, type Run } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { progressOn } from "../../command/progress.ts";
import { renderConfusable, renderMissedGates, renderRouting } from "../render-routing.ts";
import { renderRoutingPage } from "../report/page.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";
import { openTypedPool } from "../../routing/typed-pool.ts";
import { version } from "../../../core/version.ts";
import { withApp } from "../../command/with-app.ts";

export const run: Run = (call, output) => {
  refuseNothingToDo(call);
  return listOption(call, "skills") === undefined ? measureRegistry(call, output) : measurePool(call, output);
};

const measureRegistry: Run = withApp(async (app, call, output) => {
  const serving = new Serving(app);
  try {
    const title = textOption(call, "keep");
    const permit = title === undefined ? undefined : requireKeeping(app, title);
    const counting = progressOn(output, "indexing");
    const measured = await measuredRegistry(app, serving, { onProgress: ({ done, of }) => counting(done, of) });
    return await show(app.world, measured, call, output, async (report) => {
      if (title === undefined || permit === undefined) return;
      const { id } = await keepEvaluation(app, permit, { title, generation: measured.generation, report });
      output.note(`kept as ${id}`);
    });
  } finally {
    await serving.close();
  }
});

const measurePool: Run = async (call, output) => {
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
  keep: (report: RoutingReport) => Promise<void> = async () => {},
): Promise<ExitCode> {
  const gate = await gateOf(world, call);
  const measured = call.args.length === 0 ? null : await evaluated(world, routing, gate, call, output);
  if (measured !== null) await keep(measured);
  const confusable = call.options["confusable"] === true ? await confused(routing, output) : null;
  if (measured !== null) await writePage(world, measured, call, output);
  print(measured, confusable, call, output);
  if (measured === null || measured.gate.passes) return exit.fine;
  output.note(renderMissedGates(measured.gate.missed));
  return exit.findings;
}

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

function evaluated(
  world: World,
  routing: MeasuredRouting,
  gate: Gate,
  call: Call,
  output: Output,
): Promise<GatedReport> {
  const k = countOption(call, "k") ?? 10;
  if (k > mostPlaces) throw new AppError("usage.invalid", `--k: expected at most ${mostPlaces}`);
  return evaluateRouting(world, routing, call.args, { k, gate, onProgress: progressOn(output, "routing") });
}

const mostPlaces = 100;

function confused(routing: MeasuredRouting, output: Output): Promise<ConfusableReport> {
  return findConfusable(routing, { onProgress: progressOn(output, "comparing") });
}

async function writePage({ files }: World, report: GatedReport, call: Call, output: Output): Promise<void> {
  const path = textOption(call, "html");
  if (path === undefined) return;
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
