import { showSource } from "../../../../app/sources.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderSource } from "../../render-source.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  show(output, call, await showSource(app, call.args[0] ?? ""), (view) => renderSource(view, output.style));
  return exit.fine;
});
