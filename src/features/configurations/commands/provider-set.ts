import { permitLlm } from "../../../models/context.ts";
import { changeProvider } from "../../../models/providers.ts";
import { demandChange, listOption, textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { show } from "../../command/render.ts";
import { renderProvider } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  const typed = { origin: textOption(call, "origin"), models: listOption(call, "model") };
  demandChange(typed, "provider set");
  const changed = await changeProvider(permitLlm(app, "administer"), id, typed);
  show(output, call, changed, ({ provider, secretDiscarded }) => {
    const rendered = renderProvider(provider, output.style);
    // T43: the secret was meant for the old address and for no other.
    const discarded = `The secret was meant for the old origin and is discarded. Set the new one: skillward provider secret ${id}`;
    return secretDiscarded ? `${rendered}\n\n${output.style("yellow", discarded)}` : rendered;
  });
  return exit.fine;
});
