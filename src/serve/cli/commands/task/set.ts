import { changeTask } from "../../../../use/llm/task.ts";
import { demandChange, textOption } from "../../call.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderTask } from "../../render-llm.ts";
import { textOrFile } from "../../text-option.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm, world }, call, output) => {
  const template = await textOrFile(call, world.files, "template");
  const typed = { configuration: textOption(call, "configuration"), template };
  demandChange(typed, "task set");
  const task = await changeTask(llm, call.args[0] ?? "", typed);
  show(output, call, task, () => renderTask(task, output.style));
  return exit.fine;
});
