import { showAttached } from "../attach.ts";
import { permitLlm } from "../../../models/context.ts";
import { showTask } from "../../../models/task.ts";
import { exit } from "../../command/command.ts";
import { hint, renderFindings, show } from "../../command/render.ts";
import { renderAttached, renderTask } from "../render-llm.ts";
import { renderSection, renderUnion } from "../../skills/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  const task = await showTask(permitLlm(app, "read"), id);
  const { attached, capabilities, findings } = await showAttached(app, `task:${id}`);
  show(output, call, { ...task, attached, capabilities, findings }, () =>
    [
      renderTask(task, output.style),
      "",
      renderAttached(attached, output.style),
      ...renderUnion(capabilities, output.style),
      ...renderSection("Findings", renderFindings(findings, output.style), output.style),
    ].join("\n"),
  );
  hint(output, call, `Beside the skills of its configuration: skillward config show ${task.configuration}`);
  return exit.fine;
});
