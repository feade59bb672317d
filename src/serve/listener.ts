import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { AppError } from "../base/error.ts";
import type { Door, Exchange, Wire } from "./door.ts";
import { createExchanges } from "./exchange.ts";
import { answerError } from "./front.ts";
import type { Hosts } from "./hosts.ts";
import { renderError, renderFailure, shapeOf } from "./problem.ts";
import { type Rendered, send } from "./send.ts";
import { stopping } from "./statuses.ts";

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
