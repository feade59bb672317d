import { gzipSync } from "node:zlib";
import {
  type Answer,
  createAnswer,
  createStream,
  apiFor,
  type ScriptedExchange,
  keyOf,
  withEcho,
} from "./scripted-exchange.ts";
import { answerByRoute, createError } from "./routes.ts";
import type { UpstreamScript } from "./script.ts";

/** The answer to one request by its script: what is said, then the head around it, then the body as it is sent. */
export function answerByScript(exchange: ScriptedExchange): Answer {
  const { script } = exchange;
  const said = contentOf(exchange);
  const body = script.gzip ? compress(said.body) : said.body;
  const headers = {
    ...usualHeaders(exchange),
    ...said.headers,
    ...lengthOf(body, script),
    ...(script.gzip ? { "content-encoding": "gzip" } : {}),
    ...unwantedHeaders(exchange),
    ...lowerCased(script.headers ?? {}),
  };
  return { status: script.status ?? said.status, headers, body };
}

function contentOf(exchange: ScriptedExchange): Answer {
  const { script, request } = exchange;
  const { status = 200, redirect, chunks, body } = script;
  if (redirect !== undefined) return { status: 307, headers: { location: redirect }, body: Buffer.alloc(0) };
  if (chunks) return createStream(chunks);
  if (body !== undefined) return createAnswer(status, "application/json", body);
  if (status < 400) return answerByRoute(exchange);
  return createError(exchange, status, withEcho(`The upstream answers ${status}.`, request, script));
}

/** The headers that each service sends with every answer. */
function usualHeaders({ request, number }: ScriptedExchange): Record<string, string> {
  const id = `req_${number}`;
  const isAnthropic = apiFor(request).name === "anthropic";
  return isAnthropic ? { "request-id": id } : { "x-request-id": id, "openai-version": "2020-10-01" };
}

/** What a pass-through must not hand on (CO-16). */
function unwantedHeaders({ script, request }: ScriptedExchange): Answer["headers"] {
  const { setCookie, organisation, hopByHop, echoSecret } = script;
  return {
    ...(setCookie === undefined ? {} : { "set-cookie": setCookie }),
    ...(organisation === undefined
      ? {}
      : { "openai-organization": organisation, "anthropic-organization-id": organisation }),
    ...(hopByHop ? HOP_BY_HOP : {}),
    ...(echoSecret ? { "x-received-key": keyOf(request) } : {}),
  };
}

const HOP_BY_HOP = {
  connection: "keep-alive, x-only-this-hop",
  "keep-alive": "timeout=77",
  "x-only-this-hop": "named by connection",
  "proxy-authenticate": 'Basic realm="upstream"',
  "proxy-connection": "keep-alive",
};

function lengthOf(body: Answer["body"], { contentLength }: UpstreamScript): Record<string, string> {
  // A client that waits for more than there is must see the end of the connection, not the next answer.
  if (contentLength !== undefined) return { "content-length": String(contentLength), connection: "close" };
  return Buffer.isBuffer(body) ? { "content-length": String(body.length) } : {};
}

/** Each piece of a stream is a gzip member of its own, so that it can be read before the next one is sent. */
function compress(body: Answer["body"]): Answer["body"] {
  return Buffer.isBuffer(body) ? gzipSync(body) : body.map((piece) => gzipSync(piece));
}

function lowerCased(headers: Answer["headers"]): Answer["headers"] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
