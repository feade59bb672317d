import { safeLine } from "../../../core/text.ts";
import { permitLlm } from "../../../models/context.ts";
import { listProviders } from "../../../models/providers.ts";
import { exit } from "../../command/command.ts";
import { renderTable, show } from "../../command/render.ts";
import { modelsOf, secretOf } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const providers = await listProviders(permitLlm(app, "administer"));
  show(output, call, providers, () => {
    if (providers.length === 0) return "No providers yet. Add one: skillward provider add <id> --protocol <name>";
    const rows = providers.map((provider) => [
      provider.id,
      provider.protocol,
      secretOf(provider),
      provider.origin || "-",
      safeLine(modelsOf(provider)),
    ]);
    return renderTable(["id", "protocol", "secret", "origin", "models"], rows, output.style);
  });
  return exit.fine;
});
