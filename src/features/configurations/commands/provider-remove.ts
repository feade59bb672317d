import { permitLlm } from "../../../models/context.ts";
import { removeProvider } from "../../../models/providers.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  await removeProvider(permitLlm(app, "administer"), id);
  show(output, call, { removed: id }, () => `Removed provider ${id}, with its secret`);
  return exit.fine;
});
