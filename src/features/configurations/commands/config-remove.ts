import { permitLlm } from "../../../models/context.ts";
import { removeConfiguration } from "../../../models/configurations.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  await removeConfiguration(permitLlm(app, "operate"), id);
  show(output, call, { removed: id }, () => `Removed configuration ${id}`);
  return exit.fine;
});
