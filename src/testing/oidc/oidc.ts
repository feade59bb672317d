import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { closeServer, listenOnLoopback } from "../loopback.ts";
import {
  authorize,
  describe,
  giveToken,
  listKeys,
  type Answer,
  createJson,
  createRedirect,
  type House,
} from "./endpoints.ts";
import { ownKey } from "./id-token.ts";
import type { FakeOidc, OidcEndpoint, OidcOptions, OidcRequest } from "./script.ts";

/**
 * An OpenID Connect service on the loopback interface, over real HTTP: discovery, keys, the code flow with PKCE. Whoever is
 * signed in there is let through at once. It keeps every request, and misbehaves as a test says.
 *
 * ```ts
 * const oidc = await startOidc({ clock, secret: "of the client" });
 * oidc.signedIn({ preferred_username: "ada" });
 * oidc.misbehave("expired"); // every token from now on
 * oidc.rotate();             // another key
 * await oidc.close();
 * ```
 */
export async function startOidc(options: OidcOptions): Promise<FakeOidc> {
  let keys = 1;
  const house: House = {
    options,
    clientId: options.clientId ?? "skillward",
    codes: new Map(),
    requests: [],
    issuer: "",
    key: { ...(options.key ?? ownKey(keys)), id: `key-${keys}` },
    claims: {},
    faults: new Set(),
  };
  const server = createServer((incoming, response) => void serve(house, incoming, response));
  house.issuer = await listenOnLoopback(server);
  return {
    issuer: house.issuer,
    requests: house.requests,
    signedIn: (claims) => void (house.claims = claims),
    misbehave: (...faults) => void (house.faults = new Set(faults)),
    rotate(key) {
      keys++;
      house.key = { ...(key ?? ownKey(keys)), id: `key-${keys}` };
    },
    close: () => closeServer(server),
  };
}

async function serve(house: House, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? "", house.issuer);
  const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(await text(incoming))]);
  const request: OidcRequest = { endpoint: endpointOf(url), headers: incoming.headers, fields, status: 0 };
  house.requests.push(request);
  const { endpoint } = request;
  const deliver = endpoint === "authorize" || endpoint === "none" ? answer : faultyDelivery(house, endpoint);
  deliver(request, response, answerTo(house, request));
}

function endpointOf({ pathname }: URL): OidcRequest["endpoint"] {
  const endpoints: Readonly<Record<string, OidcRequest["endpoint"]>> = {
    "/.well-known/openid-configuration": "discovery",
    "/keys": "keys",
    "/token": "token",
    "/authorize": "authorize",
  };
  return endpoints[pathname] ?? "none";
}

function answerTo(house: House, request: OidcRequest): Answer {
  if (request.endpoint === "discovery") return describe(house);
  if (request.endpoint === "keys") return listKeys(house);
  if (request.endpoint === "token") return giveToken(house, request);
  return request.endpoint === "authorize" ? authorize(house, request) : createJson({ error: "not_found" }, 404);
}

type Deliver = (request: OidcRequest, response: ServerResponse, answer: Answer) => void;

/** What goes wrong on the way from an endpoint. */
function faultyDelivery({ faults, issuer }: House, endpoint: OidcEndpoint): Deliver {
  if (faults.has(`${endpoint}-endless`)) return endless;
  if (faults.has(`${endpoint}-stall`)) return stall;
  if (faults.has(`${endpoint}-error`))
    return (request, response) => answer(request, response, createJson({ error: "server_error" }, 500));
  if (faults.has(`${endpoint}-garbage`))
    return (request, response, { status, headers, body }) =>
      answer(request, response, { status, headers, body: `<html>${body}` });
  if (faults.has(`${endpoint}-redirect`))
    // To where the true answer is: whoever follows gets it.
    return (request, response, given) => {
      const isThere = request.fields["there"] === "1";
      answer(request, response, isThere ? given : createRedirect(thereOf(issuer, endpoint), 307));
    };
  return answer;
}

function thereOf(issuer: string, endpoint: OidcEndpoint): string {
  const path = endpoint === "discovery" ? ".well-known/openid-configuration" : endpoint;
  return `${issuer}/${path}?there=1`;
}

function answer(request: OidcRequest, response: ServerResponse, { status, headers, body }: Answer): void {
  request.status = status;
  response.writeHead(status, headers).end(body);
}

/** Good JSON, and then blanks for as long as somebody reads. */
function endless(request: OidcRequest, response: ServerResponse, { status, headers, body }: Answer): void {
  request.status = status;
  response.writeHead(status, headers).write(body);
  const blanks = " ".repeat(64 * 1024);
  const more = (): void => {
    while (!response.destroyed && response.write(blanks));
  };
  response.on("drain", more);
  more();
}

/** The head and half of the body, and then nothing any more. */
function stall(request: OidcRequest, response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length >> 1), () => void (request.status = status));
}
