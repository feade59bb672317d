import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { createServer as createSocketServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { buffer } from "node:stream/consumers";
import { AppError } from "../../src/core/error.ts";
import type { Outgoing, Transport } from "../../src/core/transport.ts";

export interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

async function listening(server: Server): Promise<Loopback> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server)
          (server as unknown as { closeAllConnections(): void }).closeAllConnections();
      }),
  };
}

/** A transport behind a real server, so that official clients can be pointed at it. */
export function serveTransport(transport: Transport): Promise<Loopback> {
  return listening(
    createServer((request, response) => {
      void forward(transport, request, response);
    }),
  );
}

async function forward(transport: Transport, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const answer = await transport.send({
    method: request.method === "GET" ? "GET" : "POST",
    url: `http://127.0.0.1${request.url ?? "/"}`,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: body.length === 0 ? null : body,
  });
  response.writeHead(answer.status, { ...answer.headers } as Record<string, string>);
  answer.body.pipe(response);
}

/** One request as a model service saw it. */
export interface Seen {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (seen: Seen, response: ServerResponse) => void;

/** A model service that keeps what it saw and answers as it is told. */
export async function startService(answer: Answer): Promise<Loopback & { readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = (await buffer(request)).toString("utf8");
      const one = {
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(text || "{}") as Record<string, unknown>,
      };
      seen.push(one);
      answer(one, response);
    })();
  });
  return { ...(await listening(server)), seen };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof value === "string" ? value : JSON.stringify(value));
}

/** Counts every connection that is opened to it, whatever is spoken there. */
export async function startCounter(): Promise<Loopback & { hits(): number }> {
  let count = 0;
  const server = createSocketServer((socket) => {
    count++;
    socket.on("error", () => undefined);
    socket.destroy();
  });
  return { ...(await listening(server)), hits: () => count };
}

/** A way out that goes to loopback only. */
export function loopbackTransport(): Transport {
  return { send: sendHttp };
}

async function sendHttp({ method, url, headers, body, signal }: Outgoing): ReturnType<Transport["send"]> {
  const { hostname } = new URL(url);
  if (hostname !== "127.0.0.1") throw new AppError("egress.refused", `${hostname} is not loopback`);
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, ...(signal === undefined ? {} : { signal }) });
    request.on("response", (incoming) => {
      incoming.on("error", () => {});
      const { statusCode: status = 0, headers: received } = incoming;
      resolve({ status, headers: received as Record<string, string | string[]>, body: incoming });
    });
    request.on("error", (cause) => reject(new AppError("upstream.unreachable", "it cannot be reached", { cause })));
    request.end(body ?? undefined);
  });
}
