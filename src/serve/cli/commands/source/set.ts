import { setSource } from "../../../../app/sources.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { renderSource } from "../../render-source.ts";
import { sourceWishes } from "../../source-options.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const wishes = sourceWishes(call);
  const view = await setSource(app, call.args[0] ?? "", wishes);
  show(output, call, view, () => renderSource(view, output.style, false));
  if (wishes.include !== undefined && view.source.enabled)
    hint(output, call, `It counts from the next sync on: skillward source sync ${view.source.id}`);
  return exit.fine;
});
