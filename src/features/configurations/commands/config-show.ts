import { showAttached } from "../attach.ts";
import { permitLlm } from "../../../models/context.ts";
import { showConfiguration } from "../../../models/configurations.ts";
import { exit } from "../../command/command.ts";
import { renderFindings, show } from "../../command/render.ts";
import { renderAttached, renderConfiguration } from "../render-llm.ts";
import { renderSection, renderUnion } from "../../skills/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  const configuration = await showConfiguration(permitLlm(app, "read"), id);
  const { attached, capabilities, findings } = await showAttached(app, `config:${id}`);
  show(output, call, { ...configuration, attached, capabilities, findings }, () =>
    [
      renderConfiguration(configuration, output.style),
      "",
      renderAttached(attached, output.style),
      ...renderUnion(capabilities, output.style),
      ...renderSection("Findings", renderFindings(findings, output.style), output.style),
    ].join("\n"),
  );
  return exit.fine;
});
