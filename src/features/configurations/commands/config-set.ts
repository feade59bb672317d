import { permitLlm } from "../../../models/context.ts";
import { changeConfiguration } from "../../../models/configurations.ts";
import { demandChange } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { typedConfiguration } from "../configuration-options.ts";
import { show } from "../../command/render.ts";
import { hintRouting, renderConfiguration } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const typed = await typedConfiguration(call, app.world.files);
  demandChange(typed, "config set");
  const configuration = await changeConfiguration(permitLlm(app, "operate"), call.args[0] ?? "", typed);
  show(output, call, configuration, () => renderConfiguration(configuration, output.style));
  hintRouting(output, call, configuration);
  return exit.fine;
});
