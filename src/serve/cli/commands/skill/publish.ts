import { publishSkill } from "../../../../app/published.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { doorIsOff, renderPublished } from "../../render-published.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const line = await publishSkill(app, call.args[0] ?? "");
  show(output, call, line, () => renderPublished([line], output.style));
  if (!app.config.publish.enabled) hint(output, call, doorIsOff);
  return line.findings.length === 0 ? exit.fine : exit.findings;
});
