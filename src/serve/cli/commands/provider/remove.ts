import { removeProvider } from "../../../../use/llm/providers.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const [id = ""] = call.args;
  await removeProvider(llm, id);
  show(output, call, { removed: id }, () => `Removed provider ${id}, with its secret`);
  return exit.fine;
});
