import { Hono } from "hono";
import type { PublicFile } from "../../features/publishing/public-shelf.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { addressGroup } from "../guard/client-address.ts";
import type { Door, Wire } from "../door.ts";
import { isKnown, sendBytes } from "../send.ts";
import { Admission } from "../request-limits.ts";

/** What this door asks of the app. */
export interface Shelf {
  index(): Promise<PublicFile>;
  /** Undefined for everything that the index does not list. */
  file(name: string, file: string): Promise<PublicFile | undefined>;
}

/** Of one address: a reader asks for the index, and then for each skill. */
const usualBounds = { perMinute: 600, concurrent: 32, remembered: 10_000 };

/** Nothing of it is a page of ours: a browser that opens a skill runs nothing of it, and shows it in no frame. */
const headers = {
  "cache-control": "public, max-age=60",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** SV-6: `/.well-known/agent-skills`. Without a shelf there is no such door: its paths are as unknown as any other. */
export function shelfRoutes({ clock }: Pick<Door, "clock">, shelf: Shelf | null, bounds = usualBounds): Hono<Wire> {
  const app = new Hono<Wire>();
  if (shelf === null) return app;
  // T41: nobody shows a key here.
  const admission = new Admission(clock, bounds, {
    running: `${bounds.concurrent} requests from this address are running; wait for one of them to end`,
    rate: `more than ${bounds.perMinute} requests a minute from this address; wait`,
  });
  app.get("/.well-known/agent-skills/index.json", ({ env }) => serve(admission, env, () => shelf.index()));
  app.get("/.well-known/agent-skills/:name/:file", ({ env, req }) =>
    serve(admission, env, () => shelf.file(req.param("name"), req.param("file"))),
  );
  return app;
}

async function serve(
  admission: Admission,
  { incoming, outgoing, exchange }: Wire["Bindings"],
  find: () => Promise<PublicFile | undefined>,
): Promise<Response> {
  exchange.leave = admission.enter(addressGroup(exchange.address)).leave;
  // Whoever left already has no end to come any more.
  if (exchange.isGone) exchange.leave();
  const found = await find();
  // In the words for any path that is not there: what is not published cannot be told from what never was.
  if (found === undefined)
    throw new AppError("record.missing", `there is no ${incoming.method ?? ""} ${safeLine(pathOf(incoming.url), 80)}`);
  const etag = `"sha256-${found.digest}"`;
  const given = { ...headers, "content-type": found.type, etag };
  if (isKnown(incoming.headers["if-none-match"], etag)) return sendBytes(outgoing, 304, given, null);
  return sendBytes(outgoing, 200, given, found.bytes);
}

function pathOf(url = ""): string {
  return url.split("?", 1)[0] ?? "";
}
