import type { Incoming } from "../../base/transport.ts";
import { scrubText } from "./scrub.ts";

/** CO-16: the only headers of a client that leave. Its key, its cookies and its address do not. */
const leaving = [
  "content-type",
  "accept",
  "user-agent",
  "anthropic-version",
  "anthropic-beta",
  "openai-beta",
  "idempotency-key",
  "traceparent",
] as const;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function leavingHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of leaving) {
    const value = headers[name];
    if (value !== undefined) kept[name] = typeof value === "string" ? value : value.join(", ");
  }
  return kept;
}

/** What belongs to one connection, to the upstream's own accounts, or is said by this server itself. */
const staying = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "set-cookie",
  "set-cookie2",
  "openai-organization",
  "openai-project",
  "anthropic-organization-id",
  "alt-svc",
  "strict-transport-security",
  "date",
  "server",
  "location",
]);

/** CO-16: an allow list would lose what a service adds tomorrow; what must not return is known. */
export function returningHeaders(
  { headers }: Pick<Incoming, "headers">,
  secret: string | null,
): Record<string, string | string[]> {
  const returning: Record<string, string | string[]> = {};
  const named = connectionNames(headers["connection"]);
  for (const [name, value] of Object.entries(headers)) {
    if (staying.has(name) || named.has(name) || name.startsWith("access-control-")) continue;
    // Names come in lower case.
    if (secret !== null && name.includes(secret.toLowerCase())) continue;
    // The request's id is this server's; the upstream's is kept beside it.
    const kept = name === "x-request-id" ? "x-upstream-request-id" : name;
    returning[kept] =
      typeof value === "string" ? scrubText(value, secret) : value.map((each) => scrubText(each, secret));
  }
  return returning;
}

/** A sender may declare any header to be of the connection. */
function connectionNames(connection: string | readonly string[] | undefined): Set<string> {
  const text = typeof connection === "string" ? connection : (connection ?? []).join(",");
  return new Set(text.split(",").map((name) => name.trim().toLowerCase()));
}
