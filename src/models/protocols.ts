import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";

/** What an endpoint speaks. `echo` and `scripted` answer by themselves: no address, no secret (CO-18). */
export const protocols = ["openai", "anthropic", "google", "echo", "scripted"] as const;

export type Protocol = (typeof protocols)[number];

interface Address {
  readonly protocol: Protocol;
  readonly origin: string;
}

/**
 * The base under which a provider's API lies, as its clients write it: an origin with a path is that base already. A
 * protocol that answers by itself gets a name that no resolver knows, so that nothing could leave for it (CO-18).
 */
export function baseUrlOf({ protocol, origin }: Address): string {
  switch (protocol) {
    case "openai":
      return pathOf(origin) === "" ? `${origin}/v1` : origin;
    case "anthropic":
      return pathOf(origin).endsWith("/v1") ? origin : `${origin}/v1`;
    case "google":
      return pathOf(origin) === "" ? `${origin}/v1beta` : origin;
    case "echo":
    case "scripted":
      return `https://${protocol}.invalid/v1`;
  }
}

const gatewayPath = /^\/v1((?:\/(?!\.{1,2}(?:\/|$))[\w.~:@-]{1,256}){1,8})$/;

/** Where a request for `/v1/…` goes. A path that could lead out of the base is refused. */
export function endpointOf(address: Address, path: string): string {
  const [, inside] = gatewayPath.exec(path) ?? [];
  if (inside !== undefined) return baseUrlOf(address) + inside;
  throw new AppError("usage.invalid", `${safeLine(path)}: expected a path such as /v1/chat/completions`);
}

/** What shows a secret to a provider. `given` are the headers of the caller, whose version of the protocol holds. */
export function authHeadersOf(
  protocol: Protocol,
  secret: string | null,
  given: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  const version = protocol === "anthropic" && given["anthropic-version"] === undefined;
  return { ...(version ? { "anthropic-version": "2023-06-01" } : {}), ...secretHeader(protocol, secret) };
}

function secretHeader(protocol: Protocol, secret: string | null): Record<string, string> {
  if (secret === null) return {};
  if (protocol === "openai") return { authorization: `Bearer ${secret}` };
  if (protocol === "anthropic") return { "x-api-key": secret };
  return protocol === "google" ? { "x-goog-api-key": secret } : {};
}

function pathOf(origin: string): string {
  return new URL(origin).pathname.replace(/\/$/, "");
}
