import { listPublished } from "../../../../app/published.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { doorIsOff, renderPublished } from "../../render-published.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const lines = await listPublished(app);
  show(output, call, lines, () =>
    lines.length === 0
      ? "Nothing is published. Switch a skill on: skillward skill publish <skill>"
      : renderPublished(lines, output.style),
  );
  if (lines.length > 0 && !app.config.publish.enabled) hint(output, call, doorIsOff);
  return lines.every(({ findings }) => findings.length === 0) ? exit.fine : exit.findings;
});
