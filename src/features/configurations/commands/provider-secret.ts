import { permitLlm } from "../../../models/context.ts";
import { demandSecretNeeded, setProviderSecret, showProvider } from "../../../models/providers.ts";
import { askSecret } from "../../command/ask-secret.ts";
import { exit } from "../../command/command.ts";
import { hint, show } from "../../command/render.ts";
import { renderProvider } from "../render-llm.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const [id = ""] = call.args;
  // Before the question: whoever may not answer it is not asked, and whoever may sees where the secret will go.
  const llm = permitLlm(app, "administer");
  const asked = await showProvider(llm, id);
  demandSecretNeeded(asked);
  const secret = await askSecret(`Secret of ${id}, for ${asked.origin}: `, output.keyboard);
  const provider = await setProviderSecret(llm, id, secret);
  show(output, call, provider, () => renderProvider(provider, output.style));
  hint(output, call, "The secret is kept encrypted and never shown again.");
  return exit.fine;
});
