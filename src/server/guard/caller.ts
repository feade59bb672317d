import { AppError } from "../../core/error.ts";
import type { FoundSession } from "../../registry/accounts/sessions.ts";
import type { Door, RequestEnd } from "../door.ts";
import { noKey } from "./principal.ts";
import { demandToken, isRead, secretIn } from "./session-cookie.ts";

/** Somebody who is signed in, by the cookie of the request. */
export interface SignedIn extends FoundSession {
  readonly secret: string;
}

type Find = (secret: string) => Promise<FoundSession | undefined>;

/** T37: a session that nobody uses ends, also beside a page that is open. */
export function findingOf({ served }: Door, end: RequestEnd): Find {
  const { sessions } = served;
  return (secret) => (isByItself(end) ? sessions.look(secret) : sessions.find(secret));
}

/** What a page asks for when nobody touched it says so. A stream of events cannot: browsers open it again by themselves. */
function isByItself({ incoming, exchange }: RequestEnd): boolean {
  return incoming.headersDistinct["x-skillward-background"]?.join() === "1" || exchange.route === "GET /api/events";
}

/** T37: whoever is signed in; a write also proves that a page of ours made it. */
export async function demandSession(door: Door, end: RequestEnd, find: Find): Promise<SignedIn> {
  const secret = secretIn(end);
  if (secret === undefined) throw noKey();
  if (!isRead(end.incoming)) demandToken(end.incoming, secret);
  const found = await findSignedIn(door, end, find);
  if (found === undefined) throw new AppError("auth.failed", "you are not signed in any more; sign in again");
  return found;
}

/** Undefined: nobody is. */
export async function findSignedIn(door: Door, end: RequestEnd, find: Find): Promise<SignedIn | undefined> {
  const secret = secretIn(end);
  const found = secret === undefined ? undefined : await find(secret);
  if (secret === undefined || found === undefined) return undefined;
  // SV-11: whom the proxy has let in says the proxy, with every request anew.
  if (found.way === "proxy" && door.ways.proxyUser(end.incoming) !== found.person.name) return undefined;
  return { ...found, secret };
}
