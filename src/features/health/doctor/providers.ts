import { AppError } from "../../../core/error.ts";
import { safeName } from "../../../core/text.ts";
import { authHeadersOf, baseUrlOf } from "../../../models/protocols.ts";
import type { LlmRecord } from "../../../models/port.ts";
import { parseProvider } from "../../../models/provider.ts";
import { openSecret } from "../../../models/secrets.ts";
import type { Inspection } from "../../../app/inspect.ts";
import type { WayOut } from "../../configurations/way-out.ts";
import { failure, fine, warning } from "./check.ts";
import { known, type Probe } from "./probe.ts";
import type { Check } from "../schema.ts";
import type { Provider } from "../../../models/schema.ts";

/** SV-10: every model service that has an address, asked which models it has: that costs nothing anywhere. */
export async function planProviders({ kept, keys, person }: Inspection, way: WayOut): Promise<readonly Probe[]> {
  // T43: providers are no business of one who is limited to some configurations.
  if (person.configurations !== null) return [];
  const stored = await kept.read.listLlmRecords("provider");
  return stored.flatMap((row) => probeOf(row, keys, way) ?? []);
}

/** Undefined for those that answer from within (CO-18). */
function probeOf(row: LlmRecord, keys: Inspection["keys"], way: WayOut): Probe | undefined {
  const id = safeName(row.id);
  try {
    // T43: nothing is sent to where a hand has pointed.
    const secret = openSecret(keys, row);
    const provider = parseProvider(row);
    return provider.origin === "" ? undefined : asking(provider, secret, way);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return known(failure("provider", error.message, `skillward provider set ${id} --origin … --model …`));
  }
}

/** RV-13: the secret goes where it goes with any request, to the origin that it is bound to, and not past it. */
function asking(provider: Provider, secret: string | null, way: WayOut): Probe {
  const { id, protocol } = provider;
  const url = `${baseUrlOf(provider)}/models`;
  const { host } = new URL(url);
  const headers = { accept: "application/json", ...authHeadersOf(protocol, secret) };
  return {
    name: "provider",
    id,
    host,
    todo: `look whether this machine may reach it, and at its address: skillward provider show ${id}`,
    async ask(signal) {
      const transport = await way.through(provider, {}, secret);
      const { status, body } = await transport.send({ method: "GET", url, headers, body: null, signal });
      body.destroy();
      return said(provider, `${id}: ${host}`, status);
    },
  };
}

function said({ id, hasSecret }: Provider, whom: string, status: number): Check {
  if (status >= 500)
    return warning("provider", `${whom} answers ${status}`, "it is in trouble itself: look at the page on its status");
  switch (status) {
    case 401:
      return hasSecret
        ? warning("provider", `${whom} answers; the secret is not accepted`, `skillward provider secret ${id}`)
        : warning("provider", `${whom} answers, and wants a secret`, `skillward provider secret ${id}`);
    case 429:
      return warning("provider", `${whom} answers, and allows no more requests for now`, "wait, or raise its limits");
    default:
      // Not every service lists its models, nor to every key; that it answers is what was asked.
      return fine("provider", status < 300 ? `${whom} answers` : `${whom} answers (${status} to \`GET /models\`)`);
  }
}
