import { removeSkillTriggers } from "../triggers.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { renderTriggers } from "../render-route.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [skill = "", ...phrases] = call.args;
  const left = await removeSkillTriggers(app, skill, phrases);
  show(output, call, left, () => renderTriggers(left, output.style));
  return exit.fine;
});
