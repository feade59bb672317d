import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { stopping } from "../features/http/statuses.ts";
import type { Door, Exchange, Wire } from "./door.ts";
import { createExchanges } from "./exchange.ts";
import { answerError, renderError, renderFailure, shapeOf } from "./problem.ts";
import type { Hosts } from "./guard/hosts.ts";
import { type Rendered, send } from "./send.ts";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

type Incoming = HttpBindings["incoming"];
type Outgoing = HttpBindings["outgoing"];

export interface Listener {
  /** Given an exchange, held against the host names, and only then routed. */
  readonly take: (incoming: Incoming, outgoing: Outgoing) => void;
  /** When no request is left: each is answered or cut off, and nothing of it runs any more. */
  settled(): Promise<void>;
}

/** What is done with every request. */
export function createListener(door: Door, hosts: Hosts, front: Hono<Wire>, isStopping: () => boolean): Listener {
  const begin = createExchanges(door);
  const refused = door.metrics.counter("skillward_host_refused_total", "Requests under a foreign name or origin.");
  const wires = new WeakMap<object, Wire["Bindings"]>();
  const route = createRouting(door, front, wires);
  const running = new Set<Promise<unknown>>();
  const keep = (outgoing: Outgoing, answering: Promise<unknown>) => {
    const closed = new Promise((resolve) => outgoing.once("close", resolve));
    const over = Promise.all([closed, answering]).finally(() => running.delete(over));
    running.add(over);
  };

  const take = (incoming: Incoming, outgoing: Outgoing): void => {
    const exchange = begin({ incoming, outgoing });
    const refusal = refusalOf(incoming, exchange);
    if (refusal !== undefined) return keep(outgoing, answerNow(outgoing, refusal));
    wires.set(incoming, { incoming, outgoing, exchange });
    // What cannot even be answered is cut off: its client must not wait.
    keep(
      outgoing,
      route(incoming, outgoing).catch(() => void outgoing.destroy()),
    );
  };

  const refusalOf = (incoming: Incoming, exchange: Exchange): Rendered | undefined => {
    const shape = shapeOf(incoming.url ?? "", incoming.headers);
    if (isStopping()) return renderFailure(shape, stopping, exchange.id);
    try {
      // T36: before any routing, for every route.
      exchange.channel = hosts.check(incoming);
      checkTarget(incoming);
      return undefined;
    } catch (error) {
      noteRefusal(exchange, error, refused.add);
      return renderError(shape, error, exchange.id);
    }
  };

  return {
    take,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function createRouting(door: Door, front: Hono<Wire>, wires: WeakMap<object, Wire["Bindings"]>) {
  return getRequestListener(
    async (request, { incoming }) => {
      const wire = wires.get(incoming);
      if (wire === undefined) throw new Error("a request without an exchange");
      try {
        return await front.fetch(request, wire);
      } catch (error) {
        return answerError(door, wire, error);
      }
    },
    // Without it, what was thrown is printed.
    { overrideGlobalObjects: false, errorHandler: () => new Response(null, { status: 400 }) },
  );
}

/** What is not plain would be read in one way here and in another behind a proxy. */
function checkTarget({ url = "" }: Incoming): void {
  if (!/^\/[!-[\]-~]*$/.test(url))
    throw new AppError("usage.invalid", "the path may hold nothing but printable ASCII, without a backslash");
  if (/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url))
    throw new AppError("usage.invalid", "the path may not hold . or .. segments");
}

function noteRefusal(exchange: Exchange, error: unknown, count: () => void): void {
  if (!(error instanceof AppError)) throw error;
  exchange.notes["code"] = error.code;
  if (error.code === "host.refused") count();
}

/** The rest of such a request is not read. */
async function answerNow(outgoing: Outgoing, rendered: Rendered): Promise<void> {
  send(outgoing, { ...rendered, headers: { ...rendered.headers, connection: "close" } });
}

/** As much of a server as it takes to open a port. */
interface Listening {
  listen(port: number, host: string, ready: () => void): unknown;
  once(event: "error", act: (error: NodeJS.ErrnoException) => void): unknown;
  off(event: "error", act: (error: NodeJS.ErrnoException) => void): unknown;
  address(): string | { port: number } | null;
}

/** The port that is open afterwards; `usage.invalid` when it cannot be. */
export function listen(server: Listening, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "it is in use; choose another port (`npm start -- --port 9000`, `skillward serve --port 9000`), or stop what listens there",
  EACCES: "this account may not; choose a port above 1023",
  EADDRNOTAVAIL: "this machine has no such address; choose 127.0.0.1, or 0.0.0.0 for all",
  ENOTFOUND: "there is no such host; choose 127.0.0.1, or 0.0.0.0 for all",
};

function listenFailure(cause: NodeJS.ErrnoException, host: string, port: number): AppError {
  const reason = reasons[cause.code ?? ""] ?? `the system says ${safeLine(cause.code ?? cause.message, 80)}`;
  return new AppError("usage.invalid", `cannot listen on port ${port} of ${safeLine(host, 80)}: ${reason}`, { cause });
}

/** Listening there means on every address: none of them is a name of its own. */
const wildcards = new Set(["0.0.0.0", "::", ""]);

/** The address that was chosen is a name too. */
export function namesOf(host: string): string[] {
  return wildcards.has(host) ? [] : [inUrl(host)];
}

export function urlOf(host: string, port: number): string {
  return `http://${wildcards.has(host) ? "localhost" : inUrl(host)}:${port}`;
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** What Node says of bytes that are no request, by its own codes. */
const statuses: Readonly<Record<string, readonly [status: number, title: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** An answer for what never became a request, as it goes over the connection. */
export function malformed(code: string | undefined): { status: number; text: string } {
  const [status, title] = (code === undefined ? undefined : statuses[code]) ?? [400, "Bad Request"];
  const body = JSON.stringify({ type: "about:blank", title, status });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    "connection: close",
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    "cache-control: no-store",
  ];
  return { status, text: `${head.join("\r\n")}\r\n\r\n${body}` };
}
