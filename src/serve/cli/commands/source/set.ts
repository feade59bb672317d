import { setSource } from "../../../../app/sources.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderSource } from "../../render-source.ts";
import { sourceWishes } from "../../source-options.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const view = await setSource(app, call.args[0] ?? "", sourceWishes(call));
  show(output, call, view, () => renderSource(view, output.style));
  return exit.fine;
});
