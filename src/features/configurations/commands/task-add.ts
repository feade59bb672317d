import { permitLlm } from "../../../models/context.ts";
import { addTask } from "../../../models/task.ts";
import { textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { hint, show } from "../../command/render.ts";
import { renderTask } from "../render-llm.ts";
import { textOrFile } from "../../command/text-option.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  const template = await textOrFile(call, app.world.files, "template");
  const task = await addTask(permitLlm(app, "operate"), id, {
    configuration: textOption(call, "configuration"),
    template,
  });
  show(output, call, task, () => renderTask(task, output.style));
  hint(output, call, `Next, put skills on it: skillward attach task:${id} <skill>`);
  return exit.fine;
});
