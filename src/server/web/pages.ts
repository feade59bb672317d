import { Hono } from "hono";
import { sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import type { Wire } from "../door.ts";
import { isKnown, sendBytes } from "../send.ts";

/** One file of the pages, as it is sent. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** No page is near it; a folder that is not ours could hold anything. */
const mostBytes = 4 * 2 ** 20;
const mostFiles = 200;

/** The pages of the web, read once: what is served is what was there at the start (SV-3). */
export async function loadPages(files: Files, folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const pages = new Map<string, PageFile>();
  for (const below of ["", "assets/"]) {
    const { entries } = await files.list(`${folder}/${below}`, mostFiles);
    for (const { name, kind } of entries) {
      const type = types[name.split(".").at(-1) ?? ""];
      if (kind !== "file" || type === undefined) continue;
      const read = await files.read(`${folder}/${below}${name}`, mostBytes);
      if (!(read instanceof Uint8Array)) throw new AppError("disk.failed", `${name} of the pages is too large`);
      const bytes = Buffer.from(read);
      pages.set(`/${below}${name}`, { type, bytes, etag: `"${sha256(bytes).slice(0, 32)}"` });
    }
  }
  return pages;
}

/** The same for everybody: whatever is shown comes from the API, which asks who wants it. */
export function webRoutes(pages: ReadonlyMap<string, PageFile>): Hono<Wire> {
  const app = new Hono<Wire>();
  const serve = (path: string, cache: string, { incoming, outgoing }: Wire["Bindings"]) => {
    const page = pages.get(path);
    if (page === undefined) throw new AppError("record.missing", `there is no ${safeLine(path, 80)}`);
    const headers = { ...pageHeaders, "content-type": page.type, "cache-control": cache, etag: page.etag };
    if (isKnown(incoming.headers["if-none-match"], page.etag)) return sendBytes(outgoing, 304, headers, null);
    return sendBytes(outgoing, 200, headers, page.bytes);
  };
  // Asked for anew each time: it names the others, whose names change with what is in them.
  app.get("/", ({ env }) => serve("/index.html", "no-cache", env));
  app.get("/favicon.svg", ({ env }) => serve("/favicon.svg", "public, max-age=86400", env));
  app.get("/assets/:file", ({ req, env }) =>
    serve(`/assets/${req.param("file")}`, "public, max-age=31536000, immutable", env),
  );
  return app;
}

/**
 * T37, T29: what a page may load and do. Everything comes from this server, nothing inline runs, nobody frames it, and no
 * text can become markup, since no policy for trusted types exists. There is no exception in it.
 */
const rules = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": rules.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-frame-options": "DENY",
};
