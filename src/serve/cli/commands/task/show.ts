import { listAttached } from "../../../../use/llm/attachments.ts";
import { showTask } from "../../../../use/llm/task.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { renderAttached, renderTask } from "../../render-llm.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const [id = ""] = call.args;
  const task = await showTask(llm, id);
  const attached = await listAttached(llm, `task:${id}`);
  show(output, call, { ...task, attached }, () =>
    [renderTask(task, output.style), "", renderAttached(attached, output.style)].join("\n"),
  );
  hint(output, call, `Beside the skills of its configuration: skillward config show ${task.configuration}`);
  return exit.fine;
});
