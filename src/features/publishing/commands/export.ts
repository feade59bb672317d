import { exportApproved } from "../export.ts";
import { agentNames, agentScopes } from "../../../skill/agent-folders.ts";
import { listOption, textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { isExportFine, renderExport } from "../render-export.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const { options } = call;
  const report = await exportApproved(app, {
    to: textOption(call, "to") ?? ".",
    agent: agentNames.find((name) => name === options["agent"]),
    scope: agentScopes.find((scope) => scope === options["scope"]),
    skills: listOption(call, "skill"),
    configuration: textOption(call, "configuration"),
    force: options["force"] === true,
    prune: options["prune"] === true,
  });
  if (options["json"] === true) output.print(renderVisibleJson(report));
  else output.print(renderExport(report, output.style));
  for (const note of report.notes) if (options["json"] !== true) output.note(note);
  return isExportFine(report) ? exit.fine : exit.findings;
});
