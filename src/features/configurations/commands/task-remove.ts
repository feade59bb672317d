import { permitLlm } from "../../../models/context.ts";
import { removeTask } from "../../../models/task.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  await removeTask(permitLlm(app, "operate"), id);
  show(output, call, { removed: id }, () => `Removed task ${id}`);
  return exit.fine;
});
