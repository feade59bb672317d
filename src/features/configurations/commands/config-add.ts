import { permitLlm } from "../../../models/context.ts";
import { addConfiguration } from "../../../models/configurations.ts";
import { exit } from "../../command/command.ts";
import { typedConfiguration } from "../configuration-options.ts";
import { hint, show } from "../../command/render.ts";
import { hintRouting, renderConfiguration } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  const configuration = await addConfiguration(
    permitLlm(app, "operate"),
    id,
    await typedConfiguration(call, app.world.files),
  );
  show(output, call, configuration, () => renderConfiguration(configuration, output.style));
  hintRouting(output, call, configuration);
  hint(output, call, `Next, put skills on it: skillward attach ${id} <skill>`);
  return exit.fine;
});
