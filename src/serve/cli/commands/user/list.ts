import { safeLine } from "../../../../base/text.ts";
import { listUsers } from "../../../../registry/accounts/users.ts";
import { exit } from "../../command.ts";
import { renderFindings, renderTable, show, when } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ accounts, person }, call, output) => {
  const listed = await listUsers(accounts, person);
  show(output, call, listed, ({ users, findings }) => {
    if (users.length === 0) return "No users yet. Add the first: skillward user add <name> --role admin";
    const rows = users.map(({ name, role, state, createdAt }) => [
      safeLine(name, 64),
      safeLine(role, 16),
      state,
      when(createdAt),
    ]);
    const table = renderTable(["name", "role", "state", "added"], rows, output.style);
    return [table, ...renderFindings(findings, output.style)].join("\n");
  });
  return listed.findings.length === 0 ? exit.fine : exit.findings;
});
