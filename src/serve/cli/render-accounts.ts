import type { App } from "../../app/app.ts";
import { safeLine } from "../../base/text.ts";
import type { ApiKey } from "../../registry/accounts/api-keys.ts";
import type { User } from "../../registry/accounts/users.ts";
import type { ShownOnce } from "./choose-password.ts";
import type { Call } from "./command.ts";
import type { Output } from "./output.ts";
import { hint, renderFields, when } from "./render.ts";

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

export function limitsOf({ configurations }: ApiKey): string {
  return configurations === null ? "all" : safeLine(configurations.join(", "), 240);
}
