import { permitLlm } from "../../../models/context.ts";
import { changeTask } from "../../../models/task.ts";
import { demandChange, textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { renderTask } from "../render-llm.ts";
import { textOrFile } from "../../command/text-option.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const template = await textOrFile(call, app.world.files, "template");
  const typed = { configuration: textOption(call, "configuration"), template };
  demandChange(typed, "task set");
  const task = await changeTask(permitLlm(app, "operate"), call.args[0] ?? "", typed);
  show(output, call, task, () => renderTask(task, output.style));
  return exit.fine;
});
