import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { Incoming, Outgoing, Transport } from "../core/transport.ts";

/**
 * `fetch` as SDKs call it, over the transport: what they send is held to the same policy, guard and bounds. Rejects
 * with `AppError`, or with the reason of the signal that ended it. Of its options, the method (GET or POST), headers,
 * body and signal count.
 */
export function fetchThrough(transport: Transport): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    return responseOf(
      await transport.send({
        method: methodOf(request),
        url: urlOf(input),
        headers: Object.fromEntries(request.headers),
        body: request.body === null ? null : new Uint8Array(await request.arrayBuffer()),
        signal,
      }),
    );
  };
}

/** As it was written: a `Request` has repaired its URL, and the policy is to see what was there before. */
function urlOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === "string") return input;
  return input instanceof Request ? input.url : input.href;
}

function methodOf({ method }: Request): Outgoing["method"] {
  if (method === "GET" || method === "POST") return method;
  throw new AppError("egress.refused", `the request was not sent: ${safeLine(method, 20)} is not a method in use here`);
}

/** Answers that have no body, and a `Response` refuses one for them. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf({ status, headers, body }: Incoming): Response {
  const named = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const each of typeof value === "string" ? [value] : value) named.append(name, each);
  if (!bodiless.has(status)) return new Response(streamOf(body), { status, headers: named });
  body.resume();
  return new Response(null, { status, headers: named });
}

/** Piece by piece as somebody asks for them; `Readable.toWeb` reads ahead, and buffers. */
function streamOf(body: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else if (value instanceof Uint8Array) controller.enqueue(value);
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
