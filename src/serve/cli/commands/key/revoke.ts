import { revokeApiKey } from "../../../../app/api-keys.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderKey } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const key = await revokeApiKey(app, call.args[0] ?? "");
  show(output, call, key, () => `${renderKey(key, output.style)}\n\nThe key works no more.`);
  return exit.fine;
});
