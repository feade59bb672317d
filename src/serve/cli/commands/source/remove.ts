import { dropSource } from "../../../../app/sources.ts";
import { exit } from "../../command.ts";
import { plural, show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const removed = await dropSource(app, call.args[0] ?? "");
  show(output, call, removed, ({ source, orphaned }) => {
    const left = orphaned === 0 ? "it had no skills" : `${plural(orphaned, "skill")} out of use, their history stays`;
    return `Removed ${output.style("bold", source)}: ${left}`;
  });
  return exit.fine;
});
