import { gzipSync } from "node:zlib";
import { type Answer, createAnswer, createStream } from "./answer.ts";
import { type Asked, keyOf, withEcho } from "./asked.ts";
import { createError, protocolOf, usualHeaders } from "./protocol.ts";
import { answerByRoute } from "./routes.ts";
import type { UpstreamScript } from "./script.ts";

/** The answer to one request by its script: what is said, then the head around it, then the body as it is sent. */
export function answerByScript(asked: Asked): Answer {
  const { script, number, request } = asked;
  const said = contentOf(asked);
  const body = script.gzip ? compress(said.body) : said.body;
  const headers = {
    ...usualHeaders(protocolOf(request), number),
    ...said.headers,
    ...lengthOf(body, script),
    ...(script.gzip ? { "content-encoding": "gzip" } : {}),
    ...unwantedHeaders(asked),
    ...lowerCased(script.headers ?? {}),
  };
  return { status: script.status ?? said.status, headers, body };
}

function contentOf(asked: Asked): Answer {
  const { script, request, number } = asked;
  const { status = 200, redirect, chunks, body } = script;
  if (redirect !== undefined) return { status: 307, headers: { location: redirect }, body: Buffer.alloc(0) };
  if (chunks) return createStream(chunks);
  if (body !== undefined) return createAnswer(status, "application/json", body);
  if (status < 400) return answerByRoute(asked);
  return createError(protocolOf(request), status, withEcho(`The upstream answers ${status}.`, request, script), number);
}

/** What a pass-through must not hand on (CO-16). */
function unwantedHeaders({ script, request }: Asked): Answer["headers"] {
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
