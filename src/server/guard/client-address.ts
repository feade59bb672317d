import { canonicalAddress } from "../../net/address.ts";

/** What is looked at of a request. */
interface Called {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/**
 * T41: on whose account a request goes where nobody has shown who they are. Each proxy puts the address it was called from
 * at the end of `x-forwarded-for`: from the end on, what a configured one has put there is true, and what stands before it
 * may be anybody's word. Whatever cannot be read leaves the address that the connection has.
 */
export function clientAddress({ socket, headersDistinct }: Called, proxies: readonly string[]): string {
  const { remoteAddress = "" } = socket;
  const peer = canonicalAddress(remoteAddress) ?? remoteAddress;
  let address = peer;
  // Some proxies lengthen the line that came, others write one of their own below it.
  for (const hop of (headersDistinct["x-forwarded-for"] ?? []).flatMap((line) => line.split(",")).toReversed()) {
    if (!proxies.includes(address)) return address;
    const before = canonicalAddress(hop.trim());
    if (before === undefined) return peer;
    address = before;
  }
  return address;
}

/** One household has a whole /64 of IPv6: its addresses count as one. */
export function addressGroup(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::", 2);
  const front = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === "" ? 0 : tail.split(":").length);
  const groups = [...front, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...(tail ?? "").split(":")];
  return groups.slice(0, 4).join(":");
}
