import { AppError } from "../../base/error.ts";
import { type Body, bodyOf, isBody } from "./echo-prompt.ts";
import { type Parameters, parametersShape } from "./parameters.ts";
import type { Protocol } from "./protocols.ts";

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
export function withParameters(protocol: Protocol, parameters: Parameters, body: string): string {
  if (Object.keys(parameters).length === 0) return body;
  if (parametersShape.read(parameters) === undefined)
    throw new AppError("usage.invalid", `parameters: expected ${parametersShape.expected}`);
  const added = Object.fromEntries(Object.entries(parameters).map((each) => spelled(protocol, each)));
  return JSON.stringify(laidInto(protocol, parseObject(body), added));
}

function spelled(protocol: Protocol, [name, value]: [string, unknown]): [string, unknown] {
  const known = spellings[protocol] ?? {};
  const letters = name.toLowerCase().replaceAll("_", "");
  const own = Object.hasOwn(known, letters) ? (known[letters] ?? name) : name;
  return [own, isListed(own) ? [String(value)] : value];
}

function isListed(name: string): boolean {
  return name === "stop_sequences" || name === "stopSequences";
}

/** Google keeps all of this in a place of its own. */
function laidInto(protocol: Protocol, body: Body, added: Body): Body {
  if (protocol !== "google") return { ...body, ...added };
  return { ...body, generationConfig: { ...bodyOf(body["generationConfig"]), ...added } };
}

function parseObject(body: string): Body {
  const value: unknown = JSON.parse(body);
  if (isBody(value)) return value;
  throw new TypeError("the body of a request is an object");
}
