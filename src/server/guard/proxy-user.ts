import type { ProxyConfig } from "../../app/config/config-file.ts";
import { canonicalAddress } from "../../net/address.ts";
import { isAccountName } from "../../registry/accounts/roles.ts";

/** Names in lower case, each with all its values. */
type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * SV-11: the account that a trusted reverse proxy says it let in. Anybody can write a header, so it counts only on a
 * connection from exactly one of the configured addresses, and twice is not once: one may be the client's own.
 */
export function proxyUserOf(
  { addresses, header }: ProxyConfig,
  remoteAddress: string | undefined,
  headers: Headers,
): string | undefined {
  const address = canonicalAddress(remoteAddress ?? "");
  if (address === undefined || !addresses.includes(address)) return undefined;
  const [name, ...more] = headers[header] ?? [];
  return name === undefined || more.length > 0 ? undefined : outsideName(name);
}

/**
 * The account that a name from elsewhere can mean: others write names in capitals too. Only letters of ASCII have their
 * case folded: the Kelvin sign in lower case is a plain `k`, and would be somebody else.
 */
export function outsideName(text: string): string | undefined {
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return isAccountName(name) ? name : undefined;
}
