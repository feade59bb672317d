import { AppError } from "../../core/error.ts";
import { parseRecord } from "../../core/json/json.ts";
import type { Transport } from "../../core/transport.ts";
import { fetchThrough } from "../../net/fetch.ts";
import { authHeadersOf, baseUrlOf, type Protocol } from "../protocols.ts";
import { bodyOf } from "../protocols/prompt.ts";
import { configurationSettings, type Parameters, type Provider } from "../schema.ts";
import { demandValid, refusePrototype } from "../settings.ts";

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

type Spelling = Readonly<Record<string, string>>;

/** What is known under several names, by its letters in lower case, and how each protocol spells it. */
const snakeCase: Spelling = {
  maxtokens: "max_tokens",
  maxoutputtokens: "max_tokens",
  topp: "top_p",
  topk: "top_k",
  frequencypenalty: "frequency_penalty",
  presencepenalty: "presence_penalty",
  stopsequences: "stop",
};
const spellings: Readonly<Partial<Record<Protocol, Spelling>>> = {
  openai: snakeCase,
  anthropic: { ...snakeCase, stop: "stop_sequences", stopsequences: "stop_sequences" },
  google: {
    maxtokens: "maxOutputTokens",
    maxoutputtokens: "maxOutputTokens",
    topp: "topP",
    topk: "topK",
    frequencypenalty: "frequencyPenalty",
    presencepenalty: "presencePenalty",
    stop: "stopSequences",
    stopsequences: "stopSequences",
  },
};

/**
 * The JSON body of a request with the parameters in it, each by the name that the protocol has for it; one without such
 * a name is sent as it is called. What a request says by itself is no parameter: `model` would pass by the provider's
 * list.
 */
function withParameters(protocol: Protocol, parameters: Parameters, body: string): string {
  if (Object.keys(parameters).length === 0) return body;
  refusePrototype({ parameters });
  demandValid(configurationSettings.shape.parameters, "parameters", parameters);
  const added = Object.fromEntries(Object.entries(parameters).map((each) => spelled(protocol, each)));
  const fields = parseRecord(body);
  if (fields === undefined) throw new TypeError("the body of a request is an object");
  if (protocol !== "google") return JSON.stringify({ ...fields, ...added });
  // Google keeps all of this in a place of its own.
  return JSON.stringify({ ...fields, generationConfig: { ...bodyOf(fields["generationConfig"]), ...added } });
}

function spelled(protocol: Protocol, [name, value]: [string, unknown]): [string, unknown] {
  const known = spellings[protocol] ?? {};
  const letters = name.toLowerCase().replaceAll("_", "");
  const own = Object.hasOwn(known, letters) ? (known[letters] ?? name) : name;
  const isListed = own === "stop_sequences" || own === "stopSequences";
  return [own, isListed ? [String(value)] : value];
}
