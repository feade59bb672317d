import type { App } from "../../app/app.ts";
import { safeLine } from "../../core/text.ts";
import type { listKeys } from "../../registry/accounts/api-keys.ts";
import type { listUsers } from "../../registry/accounts/users.ts";
import type { ShownOnce } from "./choose-password.ts";
import type { Call } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, renderFields, renderFindings, renderTable, when } from "../command/render.ts";
import type { ApiKey, User } from "../../registry/schema.ts";

export function renderUser(
  { name, role, state, createdAt }: User,
  { password }: ShownOnce,
  style: Output["style"],
): string {
  const fields = renderFields(
    [
      ["user", safeLine(name, 64)],
      ["role", safeLine(role, 16)],
      ["state", state],
      ["added", when(createdAt)],
    ],
    style,
  );
  if (password === undefined) return fields;
  return [fields, "", style("bold", password), "", "This is the password. It is not shown again."].join("\n");
}

export function renderUsers(
  { users, findings }: Awaited<ReturnType<typeof listUsers>>,
  style: Output["style"],
): string {
  if (users.length === 0) return "No users yet. Add the first: skillward user add <name> --role admin";
  const rows = users.map(({ name, role, state, createdAt }) => [
    safeLine(name, 64),
    safeLine(role, 16),
    state,
    when(createdAt),
  ]);
  return [renderTable(["name", "role", "state", "added"], rows, style), ...renderFindings(findings, style)].join("\n");
}

/** RV-12: whoever gets a role that does nothing yet is told how to switch it on. */
export function hintAtReviewers({ config, places }: App, role: string, call: Call, output: Output): void {
  if (role !== "reviewer" || config.review.reviewers) return;
  hint(
    output,
    call,
    `The role reviewer only reads until ${safeLine(places.configFile, 240)} says review.reviewers: on`,
  );
}

export function renderKey(key: ApiKey, style: Output["style"]): string {
  return renderFields(
    [
      ["name", safeLine(key.name, 64)],
      ["id", safeLine(key.id, 16)],
      ["role", safeLine(key.role, 16)],
      ["user", key.user === null ? "none: it stands for itself" : safeLine(key.user, 64)],
      ["configurations", limitsOf(key)],
      ["state", key.state],
    ],
    style,
  );
}

export function renderNewKey(key: ApiKey, text: string, style: Output["style"]): string {
  return [
    renderKey(key, style),
    "",
    style("bold", text),
    "",
    "This is the key. It is not shown again. Clients of the gateway send it; the command line takes SKILLWARD_API_KEY.",
  ].join("\n");
}

export function renderKeys({ keys, findings }: Awaited<ReturnType<typeof listKeys>>, style: Output["style"]): string {
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
  return [renderTable(heading, rows, style), ...renderFindings(findings, style)].join("\n");
}

function limitsOf({ configurations }: ApiKey): string {
  return configurations === null ? "all" : safeLine(configurations.join(", "), 240);
}
