import { enableUser } from "../../../../registry/accounts/users.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderUser } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ accounts, person }, call, output) => {
  const user = await enableUser(accounts, person, call.args[0] ?? "");
  show(output, call, user, () => renderUser(user, {}, output.style));
  return exit.fine;
});
