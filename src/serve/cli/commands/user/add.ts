import { parseAccountName } from "../../../../registry/accounts/account-name.ts";
import { demand } from "../../../../registry/accounts/roles.ts";
import { addUser } from "../../../../registry/accounts/users.ts";
import { textOption } from "../../call.ts";
import { choosePassword } from "../../choose-password.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { hintAtReviewers, renderUser } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const { accounts, person } = app;
  // Before the question: nobody chooses a password that is then refused.
  demand(person, "administer", accounts.policy);
  const name = parseAccountName(call.args[0] ?? "");
  const { password, shown } = await choosePassword(call, name, accounts.random);
  const user = await addUser(accounts, person, { name, role: textOption(call, "role") ?? "", password });
  show(output, call, { ...user, ...shown }, () => renderUser(user, shown, output.style));
  hint(output, call, `Next, a key for their programs: skillward key add <name> --role ${user.role} --user ${name}`);
  hintAtReviewers(app, user.role, call, output);
  return exit.fine;
});
