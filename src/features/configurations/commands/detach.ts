import { detachSkill } from "../attach.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { renderAttached } from "../render-llm.ts";
import { shownId } from "../../skills/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [target = "", skill = ""] = call.args;
  const done = await detachSkill(app, target, skill);
  const said = `Detached ${shownId(done.entry)} from ${done.target}`;
  show(output, call, done, () => `${said}\n\n${renderAttached(done.attached, output.style)}`);
  return exit.fine;
});
