import { diffSkill } from "../../../../app/revisions.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderDiff } from "../../render-diff.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const diff = await diffSkill(app, call.args[0] ?? "");
  show(output, call, diff, () => renderDiff(diff, [], output.style));
  return diff.tampering.length === 0 ? exit.fine : exit.findings;
});
