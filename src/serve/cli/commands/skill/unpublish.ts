import { unpublishSkill } from "../../../../app/published.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { shownId } from "../../render-registry.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const gone = await unpublishSkill(app, call.args[0] ?? "");
  show(output, call, gone, ({ entry }) => `${shownId(entry)} is not published any more.`);
  return exit.fine;
});
