import { setRole } from "../../../../registry/accounts/users.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { hintAtReviewers, renderUser } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const user = await setRole(app.accounts, app.person, call.args[0] ?? "", call.args[1] ?? "");
  show(output, call, user, () => renderUser(user, {}, output.style));
  hintAtReviewers(app, user.role, call, output);
  return exit.fine;
});
