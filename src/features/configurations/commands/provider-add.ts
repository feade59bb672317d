import { demandProviders, permitLlm } from "../../../models/context.ts";
import { addProvider } from "../../../models/providers.ts";
import { askSecret } from "../../command/ask-secret.ts";
import { listOption, textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { hint, show } from "../../command/render.ts";
import { renderProvider, secretOf } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  const typed = {
    protocol: textOption(call, "protocol"),
    origin: textOption(call, "origin"),
    models: listOption(call, "model"),
  };
  // Nobody is asked for a secret that is then refused.
  const llm = permitLlm(app, "administer");
  demandProviders(llm);
  const secret = call.options["secretStdin"] === true ? await askSecret(`Secret of ${id}: `, output.keyboard) : null;
  const provider = await addProvider(llm, id, typed, secret);
  show(output, call, provider, () => renderProvider(provider, output.style));
  if (secretOf(provider) === "none") hint(output, call, `Next, set its secret: skillward provider secret ${id}`);
  else hint(output, call, `Next: skillward config add <id> --provider ${id} --model <name>`);
  return exit.fine;
});
