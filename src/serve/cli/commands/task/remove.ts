import { removeTask } from "../../../../use/llm/task.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const [id = ""] = call.args;
  await removeTask(llm, id);
  show(output, call, { removed: id }, () => `Removed task ${id}`);
  return exit.fine;
});
