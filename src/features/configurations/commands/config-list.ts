import { permitLlm } from "../../../models/context.ts";
import { listConfigurations } from "../../../models/configurations.ts";
import { exit } from "../../command/command.ts";
import { renderTable, show } from "../../command/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const configurations = await listConfigurations(permitLlm(app, "read"));
  show(output, call, configurations, () => {
    if (configurations.length === 0)
      return "No configurations yet. Add one: skillward config add <id> --provider <id> --model <name>";
    const rows = configurations.map(({ id, provider, model, placement, routing, budget }) => [
      id,
      provider,
      model,
      placement,
      routing.enabled ? "on" : "off",
      String(budget),
    ]);
    return renderTable(["id", "provider", "model", "placement", "routing", "budget"], rows, output.style);
  });
  return exit.fine;
});
