import type { Config } from "../config-file.ts";
import { type Check, fine, warning } from "./check.ts";

/** What is set up with others (SV-11): nothing where nothing is. */
export function checkOutside(config: Config, webhookSecret: string | null): readonly Check[] {
  return [...checkWebhook(config, webhookSecret), ...checkSignIn(config)];
}

/** Where to is not repeated: the address can hold a secret. */
function checkWebhook({ webhook }: Config, secret: string | null): readonly Check[] {
  if (webhook.url === null) return [];
  if (secret !== null) return [fine("webhook", "webhook.url is told what needs review")];
  const says = "webhook.url is set, and SKILLWARD_WEBHOOK_SECRET is not: nobody is told anything";
  return [warning("webhook", says, "set it where the server runs, to the secret that the receiver knows")];
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** T36: whoever comes back under a name that the server does not answer to is refused. */
function checkSignIn({ signIn, serve }: Config): readonly Check[] {
  const { oidc } = signIn;
  if (oidc === null) return [];
  const { hostname, origin } = new URL(oidc.publicUrl);
  if (loopback.has(hostname) || serve.hosts.includes(hostname))
    return [fine("sign-in", `people come back to ${origin}`)];
  const says = `people come back to ${origin}, and ${hostname} is not in serve.hosts`;
  return [warning("sign-in", says, "add it there: the server refuses names that are not its own")];
}
