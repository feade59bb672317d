import { Hono } from "hono";
import type { PublicFile } from "../../app/public-shelf.ts";
import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { Door, Wire } from "../door.ts";
import { isKnown } from "../etag.ts";
import { sendBytes } from "../send.ts";
import { visitBounds, Visits } from "./visits.ts";

/** What this door asks of the app. */
export interface Shelf {
  index(): Promise<PublicFile>;
  /** Undefined for everything that the index does not list. */
  file(name: string, file: string): Promise<PublicFile | undefined>;
}

/** Nothing of it is a page of ours: a browser that opens a skill runs nothing of it, and shows it in no frame. */
const headers = {
  "cache-control": "public, max-age=60",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** SV-6: `/.well-known/agent-skills`. Without a shelf there is no such door: its paths are as unknown as any other. */
export function shelfRoutes({ clock }: Pick<Door, "clock">, shelf: Shelf | null, bounds = visitBounds): Hono<Wire> {
  const app = new Hono<Wire>();
  if (shelf === null) return app;
  const visits = new Visits(clock, bounds);
  app.get("/.well-known/agent-skills/index.json", ({ env }) => serve(visits, env, () => shelf.index()));
  app.get("/.well-known/agent-skills/:name/:file", ({ env, req }) =>
    serve(visits, env, () => shelf.file(req.param("name"), req.param("file"))),
  );
  return app;
}

async function serve(
  visits: Visits,
  { incoming, outgoing, exchange }: Wire["Bindings"],
  find: () => Promise<PublicFile | undefined>,
): Promise<Response> {
  exchange.leave = visits.enter(exchange.address);
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
