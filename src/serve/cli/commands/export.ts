import { exportApproved } from "../../../app/export.ts";
import { agentNames, agentScopes } from "../../../use/publish/agents.ts";
import { listOption, textOption } from "../call.ts";
import { type Call, type ExitCode, exit } from "../command.ts";
import type { Output } from "../output.ts";
import { isExportFine, renderExport } from "../render-export.ts";
import { renderVisibleJson } from "../safe-output.ts";
import { withApp } from "../with-app.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  // Elsewhere `--config` is the configuration file; here that is only ever the environment's.
  const { config: configuration, ...options } = call.options;
  return withApp(async (app) => {
    const report = await exportApproved(app, {
      to: textOption(call, "to") ?? ".",
      agent: agentNames.find((name) => name === options["agent"]),
      scope: agentScopes.find((scope) => scope === options["scope"]),
      skills: listOption(call, "skill"),
      configuration: typeof configuration === "string" ? configuration : undefined,
      force: options["force"] === true,
      prune: options["prune"] === true,
    });
    if (options["json"] === true) output.print(renderVisibleJson(report));
    else output.print(renderExport(report, output.style));
    for (const note of report.notes) if (options["json"] !== true) output.note(note);
    return isExportFine(report) ? exit.fine : exit.findings;
  })({ ...call, options }, output);
}
