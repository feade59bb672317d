import { safeLine } from "../../../../base/text.ts";
import { removeUser } from "../../../../registry/accounts/users.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ accounts, person }, call, output) => {
  const [name = ""] = call.args;
  await removeUser(accounts, person, name);
  show(output, call, { removed: name }, () => `Removed user ${safeLine(name, 64)} and revoked their keys`);
  return exit.fine;
});
