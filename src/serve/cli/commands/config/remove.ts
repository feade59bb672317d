import { removeConfiguration } from "../../../../use/llm/configurations.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const [id = ""] = call.args;
  await removeConfiguration(llm, id);
  show(output, call, { removed: id }, () => `Removed configuration ${id}`);
  return exit.fine;
});
