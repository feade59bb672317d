import { type ValidationReport, validate } from "../validate.ts";
import { createWorld } from "../../../app/world/world.ts";
import { type Profile, profiles } from "../../../core/limits.ts";
import { jsonWithoutOrders, withoutOrders } from "../../command/build-log.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { progressOn } from "../../command/progress.ts";
import { renderReport } from "../render-report.ts";

export async function run({ args, options }: Call, output: Output): Promise<ExitCode> {
  const report = await validate(createWorld().files, args, {
    profile: profileOf(options["profile"]),
    onProgress: progressOn(output, "checking skills"),
  });
  output.print(options["json"] === true ? renderJson(report) : withoutOrders(renderReport(report, output.style)));
  return report.passes ? exit.fine : exit.findings;
}

/** The frame has checked the choice already. */
function profileOf(option: unknown): Profile {
  return profiles.find((profile) => profile === option) ?? "workspace";
}

function renderJson(report: ValidationReport): string {
  return jsonWithoutOrders(JSON.stringify(report, null, 2));
}
