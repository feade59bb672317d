import { addConfiguration } from "../../../../use/llm/configurations.ts";
import { exit } from "../../command.ts";
import { typedConfiguration } from "../../configuration-options.ts";
import { hint, show } from "../../render.ts";
import { hintRouting, renderConfiguration } from "../../render-llm.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm, world }, call, output) => {
  const [id = ""] = call.args;
  const configuration = await addConfiguration(llm, id, await typedConfiguration(call, world.files));
  show(output, call, configuration, () => renderConfiguration(configuration, output.style));
  hintRouting(output, call, configuration);
  hint(output, call, `Next, put skills on it: skillward attach ${id} <skill>`);
  return exit.fine;
});
