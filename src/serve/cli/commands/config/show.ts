import { showAttached } from "../../../../app/attach.ts";
import { showConfiguration } from "../../../../use/llm/configurations.ts";
import { exit } from "../../command.ts";
import { renderFindings, show } from "../../render.ts";
import { renderAttached, renderConfiguration } from "../../render-llm.ts";
import { renderSection, renderUnion } from "../../render-registry.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const { llm } = app;
  const [id = ""] = call.args;
  const configuration = await showConfiguration(llm, id);
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
