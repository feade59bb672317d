import { addSkillTriggers } from "../../../../app/triggers.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderTriggers } from "../../render-triggers.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [skill = "", ...phrases] = call.args;
  const done = await addSkillTriggers(app, skill, phrases);
  show(output, call, done, () => renderTriggers(done, output.style));
  return exit.fine;
});
