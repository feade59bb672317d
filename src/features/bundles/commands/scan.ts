import { type ScanReport, scan } from "../scan.ts";
import { createWorld } from "../../../app/world/world.ts";
import { AppError } from "../../../core/error.ts";
import { type Level, levels } from "../../../core/finding.ts";
import { safeLine } from "../../../core/text.ts";
import { explanations } from "../../../scan/rules.ts";
import { renderAnnotations, sarifOf } from "../sarif.ts";
import { jsonWithoutOrders, withoutOrders } from "../../command/build-log.ts";
import { textOption } from "../../command/call.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { progressOn } from "../../command/progress.ts";
import { plural } from "../../command/render.ts";
import { renderScan, renderScanSum } from "../render-scan.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";
import { version } from "../../../core/version.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const render = rendererFor(call);
  const baseline = baselineOf(call);
  const report = await scan(createWorld().files, call.args, {
    failOn: levelOf(call),
    ...(baseline === undefined ? {} : { baseline }),
    onProgress: progressOn(output, "scanning"),
  });
  output.print(render(report, output));
  if (report.written !== null)
    output.note(`${plural(report.written, "accepted finding")} in ${safeLine(baseline?.file ?? "", 240)} now`);
  return report.passes ? exit.fine : exit.findings;
}

type Render = (report: ScanReport, output: Output) => string;

function rendererFor(call: Call): Render {
  const format = textOption(call, "format") ?? "text";
  if (call.options["json"] === true && format !== "json" && format !== "text")
    throw new AppError("usage.invalid", `give --json or --format ${format}, not both`);
  const hasBaseline = textOption(call, "baseline") !== undefined;
  if (call.options["json"] === true || format === "json") return renderJson;
  if (format === "github") return renderGithub;
  if (format === "sarif")
    return (report, { folder }) =>
      renderJson(sarifOf(report, { version, here: folder, rules: explanations, hasBaseline }));
  return (report, { style }) => renderScan(report, style);
}

function renderJson(value: object): string {
  return jsonWithoutOrders(renderVisibleJson(value));
}

function renderGithub(report: ScanReport, { style, folder }: Output): string {
  return [...renderAnnotations(report, folder), withoutOrders(renderScanSum(report, style))].join("\n");
}

/** The frame has checked the choice already. */
function levelOf(call: Call): Level {
  return levels.find((level) => level === textOption(call, "failOn")) ?? "high";
}

function baselineOf(call: Call): { file: string; write: boolean } | undefined {
  const file = textOption(call, "baseline");
  const write = call.options["writeBaseline"] === true;
  if (file === undefined && write)
    throw new AppError(
      "usage.invalid",
      "--write-baseline needs the name of the file: --baseline .skillward-baseline.json",
    );
  return file === undefined ? undefined : { file, write };
}
