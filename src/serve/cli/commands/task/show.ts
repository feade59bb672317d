import { showAttached } from "../../../../app/attach.ts";
import { showTask } from "../../../../use/llm/task.ts";
import { exit } from "../../command.ts";
import { hint, renderFindings, show } from "../../render.ts";
import { renderAttached, renderTask } from "../../render-llm.ts";
import { renderSection, renderUnion } from "../../render-registry.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const { llm } = app;
  const [id = ""] = call.args;
  const task = await showTask(llm, id);
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
