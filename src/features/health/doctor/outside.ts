import type { Config } from "../../../app/config/config-file.ts";
import type { Inspection } from "../../../app/inspect.ts";
import { AppError } from "../../../core/error.ts";
import { WayOut } from "../../configurations/way-out.ts";
import { failure, fine, warning } from "./check.ts";
import { planGitHub } from "./github.ts";
import { known, type Probe, runProbes } from "./probe.ts";
import { planProviders } from "./providers.ts";
import type { Check } from "../schema.ts";

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

/** Asks everybody elsewhere, once. */
export type Asking = () => Promise<readonly Check[]>;

export const nobody: Asking = async () => [];

export const notAsked: Asking = async () => [fine("network", "nobody elsewhere was asked, as it was wished")];

/** Whom to ask is read while the store is open; they are asked when there is no more to see here. */
export async function planAsking(opened: Inspection): Promise<Asking> {
  const { world, config, github } = opened;
  const models = new WayOut(config, world.timer);
  const probes = [
    ...(await planned("github", () => planGitHub(opened))),
    ...(await planned("provider", () => planProviders(opened, models))),
  ];
  return async () => {
    try {
      return await runProbes(probes, world.timer);
    } finally {
      await Promise.all([github.close(), models.close()]);
    }
  };
}

/** What cannot be read in the store keeps nobody else from being asked. */
async function planned(name: string, plan: () => Promise<readonly Probe[]>): Promise<readonly Probe[]> {
  try {
    return await plan();
  } catch (error) {
    if (error instanceof AppError) return [known(failure(name, error.message, "skillward audit verify"))];
    throw error;
  }
}
