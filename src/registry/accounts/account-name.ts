import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";

/** No colon: a user can never be taken for `key:<name>` or `machine:<account>` in a decision or an audit record. */
const form = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function isAccountName(text: string): boolean {
  return form.test(text);
}

/** The name of a user or a key, or a refusal that says the rule. */
export function parseAccountName(text: string): string {
  if (isAccountName(text)) return text;
  throw new AppError(
    "usage.invalid",
    `"${safeLine(text, 80)}" cannot be a name: use 1 to 64 lowercase letters, digits, dots, hyphens and underscores, ` +
      "beginning with a letter or a digit",
  );
}
