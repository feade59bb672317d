import { isAccountName } from "../../registry/accounts/roles.ts";

/**
 * The account that a name from elsewhere can mean: others write names in capitals too. Only letters of ASCII have their
 * case folded: the Kelvin sign in lower case is a plain `k`, and would be somebody else.
 */
export function outsideName(text: string): string | undefined {
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return isAccountName(name) ? name : undefined;
}
