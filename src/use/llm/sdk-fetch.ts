import { AppError } from "../../base/error.ts";
import type { Transport } from "../../base/transport.ts";
import { fetchThrough } from "../../net/fetch.ts";
import { authHeadersOf, baseUrlOf } from "./base-url.ts";
import type { Parameters } from "./parameters.ts";
import type { Provider } from "./provider.ts";
import { withParameters } from "./sdk-parameters.ts";

/** A model of a provider, and the way to it. */
export interface SdkAccess {
  readonly provider: Pick<Provider, "protocol" | "origin">;
  readonly model: string;
  readonly secret: string | null;
  readonly transport: Transport;
}

export type Fetch = ReturnType<typeof fetchThrough>;

/** A service that always promises more would be asked without end. */
const mostRequests = 8;

/**
 * The only way out that an SDK is given, for one question. The headers are made here, so that no key of the environment
 * leaves, and the secret goes nowhere but below the provider's own base (T43).
 */
export function fetchFor(
  { provider, secret, transport }: SdkAccess,
  parameters: Parameters,
  accept: "application/json" | "text/event-stream" = "application/json",
): Fetch {
  const through = fetchThrough(transport);
  const base = `${baseUrlOf(provider)}/`;
  let requests = 0;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input).href;
    if (!url.startsWith(base)) throw new AppError("egress.refused", "a request would have left the provider's address");
    if (++requests > mostRequests)
      throw new AppError("upstream.invalid", "the model service asks for ever more requests");
    const beta = new Headers(init?.headers).get("anthropic-beta");
    const headers = {
      "content-type": "application/json",
      accept,
      ...(beta === null ? {} : { "anthropic-beta": beta }),
      ...authHeadersOf(provider.protocol, secret),
    };
    const body = withParameters(provider.protocol, parameters, textOf(init?.body));
    return through(url, { method: "POST", headers, body, signal: init?.signal ?? null });
  };
}

/** The SDK's providers send JSON and nothing else. */
function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  throw new TypeError("the body of a request is text");
}
