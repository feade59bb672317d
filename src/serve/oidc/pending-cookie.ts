import { cookiesOf } from "../cookies.ts";
import type { RequestEnd, Wire } from "../door.ts";

type Ends = Wire["Bindings"];

/**
 * The cookie that keeps a sign-in which has begun. Lax, since the browser comes back from another site. Over TLS its name
 * binds it to this very host: a neighbour under the same domain could else plant one of their own, and have somebody signed
 * in as them.
 */
function nameFor({ exchange }: RequestEnd): string {
  return exchange.channel === "https" ? "__Host-skillward-oidc" : "skillward-oidc";
}

export function givePending(ends: Ends, sealed: string, milliseconds: number): void {
  ends.outgoing.appendHeader("set-cookie", cookieOf(ends, sealed, milliseconds / 1000));
}

export function takePending(ends: Ends): void {
  ends.outgoing.appendHeader("set-cookie", cookieOf(ends, "", 0));
}

function cookieOf(ends: Ends, value: string, seconds: number): string {
  const secure = ends.exchange.channel === "https" ? "; Secure" : "";
  return `${nameFor(ends)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** What such a cookie holds; undefined also where there are two, of which one is not ours. */
export function pendingIn(end: RequestEnd): string | undefined {
  const [found, ...more] = cookiesOf(end, nameFor(end));
  return more.length > 0 ? undefined : found;
}
