import type { Incoming } from "../../core/transport.ts";

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

/** A secret that comes back is covered, letter by letter, so that lengths stay true (CO-16). */

export function scrubText(text: string, secret: string | null): string {
  return secret === null ? text : text.replaceAll(secret, "*".repeat(secret.length));
}

/** Covers a secret in a stream, also where it is torn apart between chunks. */
export class Scrubber {
  readonly #secret: Buffer;
  /** The end of what came before, when a secret may have begun in it. */
  #held: Buffer = Buffer.alloc(0);

  constructor(secret: string | null) {
    this.#secret = Buffer.from(secret ?? "");
  }

  /** What can be handed on: all of it, save for an end that could be the start of the secret. */
  push(chunk: Buffer): Buffer {
    if (this.#secret.length === 0) return chunk;
    const joined = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const covered = this.#cover(joined);
    const keep = this.#beginningAtEnd(covered);
    this.#held = covered.subarray(covered.length - keep);
    return covered.subarray(0, covered.length - keep);
  }

  /** What was held back to the end was no secret. */
  end(): Buffer {
    return this.#held;
  }

  #cover(bytes: Buffer): Buffer {
    let at = bytes.indexOf(this.#secret);
    if (at === -1) return bytes;
    const covered = Buffer.from(bytes);
    for (; at !== -1; at = bytes.indexOf(this.#secret, at + this.#secret.length))
      covered.fill("*", at, at + this.#secret.length);
    return covered;
  }

  /** How many of the last bytes are the first ones of the secret. */
  #beginningAtEnd(bytes: Buffer): number {
    const first = this.#secret[0] ?? 0;
    const longest = Math.min(this.#secret.length - 1, bytes.length);
    const from = bytes.length - longest;
    for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
      if (bytes.subarray(at).equals(this.#secret.subarray(0, bytes.length - at))) return bytes.length - at;
    return 0;
  }
}
