import { attachSkill } from "../attach.ts";
import { exit } from "../../command/command.ts";
import { renderFindings, show } from "../../command/render.ts";
import { renderAttached } from "../render-llm.ts";
import { renderUnion, shownId } from "../../skills/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [target = "", skill = ""] = call.args;
  const done = await attachSkill(app, target, skill);
  const said = `Attached ${shownId(done.entry)} to ${done.target}`;
  show(output, call, done, () =>
    [said, "", renderAttached(done.attached, output.style), ...renderUnion(done.capabilities, output.style)].join("\n"),
  );
  if (call.options["json"] !== true) for (const line of renderFindings(done.findings, output.style)) output.note(line);
  return exit.fine;
});
