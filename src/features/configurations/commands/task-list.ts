import { safeLine } from "../../../core/text.ts";
import { permitLlm } from "../../../models/context.ts";
import { listTasks } from "../../../models/task.ts";
import { exit } from "../../command/command.ts";
import { renderTable, show } from "../../command/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const tasks = await listTasks(permitLlm(app, "read"));
  show(output, call, tasks, () => {
    if (tasks.length === 0)
      return "No tasks yet. Add one: skillward task add <id> --configuration <id> --template <text>";
    const rows = tasks.map(({ id, configuration, template }) => [id, configuration, safeLine(template, 60)]);
    return renderTable(["id", "configuration", "template"], rows, output.style);
  });
  return exit.fine;
});
