import { createHmac } from "node:crypto";
import { isSameText } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Exchange, RequestEnd, Wire } from "../door.ts";
import type { Channel } from "./hosts.ts";
import { hasKey } from "./principal.ts";

type Incoming = RequestEnd["incoming"];

/** T37: browsers take a cookie with this prefix over TLS alone, from this host alone and for all of it. */
const [secureName, plainName] = ["__Host-skillward", "skillward"];

/** In plain from elsewhere there is none: anybody on the way could read it. */
const names: Readonly<Record<Channel, string | undefined>> = {
  https: secureName,
  loopback: plainName,
  plain: undefined,
};

/** What a session's secret looks like. */
const form = /^[\w-]{43}$/;

/** The secret that a browser has sent; never beside a key, which says who asks (T37). */
export function secretIn(end: RequestEnd): string | undefined {
  const name = names[end.exchange.channel];
  if (name === undefined || hasKey(end.incoming.headersDistinct)) return undefined;
  const [secret = "", ...more] = cookiesOf(end, name);
  // Twice is not once: one of them was put there by somebody else.
  return more.length === 0 && form.test(secret) ? secret : undefined;
}

/** The browser forgets it when it ends, and shows it to no script and no other site. */
export function sessionCookie(secret: string, isSecure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return `${isSecure ? secureName : plainName}=${secret}; ${attributes}`;
}

export function giveSecret({ outgoing, exchange }: Wire["Bindings"], secret: string): void {
  demandSafeChannel(exchange);
  outgoing.setHeader("set-cookie", sessionCookie(secret, exchange.channel === "https"));
}

export function takeSecretBack({ outgoing, exchange }: Wire["Bindings"]): void {
  outgoing.setHeader("set-cookie", `${sessionCookie("", exchange.channel === "https")}; Max-Age=0`);
}

/** SV-4: neither a password nor a session travels in plain, but on the machine itself. */
export function demandSafeChannel({ channel }: Exchange): void {
  if (channel !== "plain") return;
  const hint = "put a proxy with TLS before the server and name it in `serve.hosts`, or use localhost";
  throw new AppError("auth.forbidden", `signing in takes https; ${hint}`);
}

/** What a page of ours sends with each write: it follows from the secret, which no page can read (T37). */
export function tokenOf(secret: string): string {
  return createHmac("sha256", secret).update("skillward page token").digest("base64url");
}

export function demandToken({ headersDistinct }: Incoming, secret: string): void {
  const [given = "", ...more] = headersDistinct["x-skillward-token"] ?? [];
  if (more.length === 0 && isSameText(given, tokenOf(secret))) return;
  throw new AppError("auth.forbidden", "the request has no x-skillward-token of this session; load the page again");
}

const reads: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

export function isRead({ method }: Incoming): boolean {
  return reads.has(method);
}

/**
 * T37: refuses what a page of another site, or of a neighbour under the same domain, made a browser send. Programs do not
 * say where they come from; an address that a person typed has no site, and reads at most.
 */
export function refuseForeign(incoming: Incoming): void {
  const sites = incoming.headersDistinct["sec-fetch-site"] ?? [];
  const isOwn = (site: string) => site === "same-origin" || (site === "none" && isRead(incoming));
  if (sites.every(isOwn)) return;
  throw new AppError("auth.forbidden", "the request came from a page of another site");
}

const blanks = /^[ \t]+|[ \t]+$/g;

/**
 * The values of the cookies of exactly this name (T37). Space and tab alone stand between cookies: whatever else a reader
 * takes for blank may be part of a name that a neighbour under the same domain could set, and is another name.
 */
export function cookiesOf({ incoming }: RequestEnd, name: string): readonly string[] {
  const pairs = (incoming.headersDistinct["cookie"] ?? []).flatMap((header) => header.split(";"));
  const start = `${name}=`;
  return pairs
    .map((pair) => pair.replaceAll(blanks, ""))
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}
