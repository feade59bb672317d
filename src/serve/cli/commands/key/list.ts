import { safeLine } from "../../../../base/text.ts";
import { listKeys } from "../../../../registry/accounts/api-keys.ts";
import { exit } from "../../command.ts";
import { renderFindings, renderTable, show, when } from "../../render.ts";
import { limitsOf } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async ({ accounts, person }, call, output) => {
  const listed = await listKeys(accounts, person);
  show(output, call, listed, ({ keys, findings }) => {
    if (keys.length === 0) return "No keys yet. Add one: skillward key add <name> --role <role>";
    const rows = keys.map((key) => [
      safeLine(key.id, 16),
      safeLine(key.name, 64),
      safeLine(key.role, 16),
      key.state,
      safeLine(key.user ?? "-", 64),
      when(key.createdAt),
      limitsOf(key),
    ]);
    const heading = ["id", "name", "role", "state", "user", "added", "configurations"];
    return [renderTable(heading, rows, output.style), ...renderFindings(findings, output.style)].join("\n");
  });
  return listed.findings.length === 0 ? exit.fine : exit.findings;
});
