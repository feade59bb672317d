import { listAttached } from "../../../../use/llm/attachments.ts";
import { showConfiguration } from "../../../../use/llm/configurations.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderAttached, renderConfiguration } from "../../render-llm.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const [id = ""] = call.args;
  const configuration = await showConfiguration(llm, id);
  const attached = await listAttached(llm, `config:${id}`);
  show(output, call, { ...configuration, attached }, () =>
    [renderConfiguration(configuration, output.style), "", renderAttached(attached, output.style)].join("\n"),
  );
  return exit.fine;
});
