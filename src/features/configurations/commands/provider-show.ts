import { permitLlm } from "../../../models/context.ts";
import { showProvider } from "../../../models/providers.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { renderProvider } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const provider = await showProvider(permitLlm(app, "administer"), call.args[0] ?? "");
  show(output, call, provider, () => renderProvider(provider, output.style));
  return exit.fine;
});
