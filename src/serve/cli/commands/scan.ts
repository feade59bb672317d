import { type ScanReport, scan } from "../../../app/scan.ts";
import { createWorld } from "../../../app/world.ts";
import { AppError } from "../../../base/error.ts";
import { type Level, levels } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";
import { explanations } from "../../../review/scan/rules.ts";
import { renderAnnotations } from "../annotations.ts";
import { jsonWithoutOrders, withoutOrders } from "../build-log.ts";
import { textOption } from "../call.ts";
import { type Call, type ExitCode, exit } from "../command.ts";
import type { Output } from "../output.ts";
import { progressOn } from "../progress.ts";
import { plural } from "../render.ts";
import { renderScan, renderScanSum } from "../render-scan.ts";
import { renderVisibleJson } from "../safe-output.ts";
import { sarifOf } from "../sarif.ts";
import { version } from "../../version.ts";

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
    return (report) => renderJson(sarifOf(report, { version, here: process.cwd(), rules: explanations, hasBaseline }));
  return (report, { style }) => renderScan(report, style);
}

function renderJson(value: object): string {
  return jsonWithoutOrders(renderVisibleJson(value));
}

function renderGithub(report: ScanReport, { style }: Output): string {
  return [...renderAnnotations(report, process.cwd()), withoutOrders(renderScanSum(report, style))].join("\n");
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
