import { detachSkill } from "../../../app/attach.ts";
import { exit } from "../command.ts";
import { show } from "../render.ts";
import { renderAttached } from "../render-llm.ts";
import { shownId } from "../render-registry.ts";
import { withApp } from "../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [target = "", skill = ""] = call.args;
  const done = await detachSkill(app, target, skill);
  const said = `Detached ${shownId(done.entry)} from ${done.target}`;
  show(output, call, done, () => `${said}\n\n${renderAttached(done.attached, output.style)}`);
  return exit.fine;
});
