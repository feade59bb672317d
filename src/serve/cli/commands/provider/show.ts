import { showProvider } from "../../../../use/llm/providers.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderProvider } from "../../render-llm.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const provider = await showProvider(llm, call.args[0] ?? "");
  show(output, call, provider, () => renderProvider(provider, output.style));
  return exit.fine;
});
