import { safeLine } from "../../../../base/text.ts";
import { listTasks } from "../../../../use/llm/task.ts";
import { exit } from "../../command.ts";
import { renderTable, show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const tasks = await listTasks(llm);
  show(output, call, tasks, () => {
    if (tasks.length === 0)
      return "No tasks yet. Add one: skillward task add <id> --configuration <id> --template <text>";
    const rows = tasks.map(({ id, configuration, template }) => [id, configuration, safeLine(template, 60)]);
    return renderTable(["id", "configuration", "template"], rows, output.style);
  });
  return exit.fine;
});
