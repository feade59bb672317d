import { resetPassword, showUser } from "../../../../registry/accounts/users.ts";
import { choosePassword } from "../../choose-password.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderUser } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ accounts, person }, call, output) => {
  // Before the question: nobody chooses a password that is then refused.
  const { name } = await showUser(accounts, person, call.args[0] ?? "");
  const { password, shown } = await choosePassword(call, name, accounts.random);
  const user = await resetPassword(accounts, person, name, password);
  show(output, call, { ...user, ...shown }, () =>
    [`Replaced the password of ${name}.`, "", renderUser(user, shown, output.style)].join("\n"),
  );
  return exit.fine;
});
