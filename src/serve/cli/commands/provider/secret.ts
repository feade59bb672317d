import { demandSecretNeeded, setProviderSecret, showProvider } from "../../../../use/llm/providers.ts";
import { askSecret } from "../../ask-secret.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { renderProvider } from "../../render-llm.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ llm }, call, output) => {
  const [id = ""] = call.args;
  // Before the question: whoever may not answer it is not asked, and whoever may sees where the secret will go.
  const asked = await showProvider(llm, id);
  demandSecretNeeded(asked);
  const secret = await askSecret(`Secret of ${id}, for ${asked.origin}: `);
  const provider = await setProviderSecret(llm, id, secret);
  show(output, call, provider, () => renderProvider(provider, output.style));
  hint(output, call, "The secret is kept encrypted and never shown again.");
  return exit.fine;
});
