import { isIP } from "node:net";
import { type Cidr, contains, isLoopback } from "./address.ts";

/** `host:port` to the range in which it may lie (IN-4). Hosts as `URL.hostname` has them, ports always said. */
export type PrivatePairs = ReadonlyMap<string, Cidr>;

export const noPairs: PrivatePairs = new Map();

/** Where a connection goes. A host that is an IPv6 address has its brackets or not. */
export interface Place {
  readonly protocol: string;
  readonly hostname: string;
  /** Empty: the usual one of the protocol. */
  readonly port: string;
}

/** How a place is named in a pair. */
export function pairName({ protocol, hostname, port }: Place): string {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return `${host}:${port === "" ? usualPort(protocol) : port}`;
}

function usualPort(protocol: string): string {
  return protocol === "https:" ? "443" : "80";
}

/** Plain http is for loopback pairs alone: elsewhere others could read along (IN-4). */
export function mayBePlain(pairs: PrivatePairs, place: Place): boolean {
  const cidr = pairs.get(pairName(place));
  return cidr !== undefined && isLoopback(cidr);
}

const pairShape = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253}):([1-9][0-9]{0,4})$/;

/** Whether a text names a place as `pairName` does: otherwise it would fit no request and the pair have no effect. */
export function isPairName(text: string): boolean {
  const [, host = "", port = ""] = pairShape.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535 || host.endsWith(".")) return false;
  return URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).hostname === host;
}

/** Whether a pair can ever be used: a host that is an address must lie in the range. */
export function fitTogether(name: string, cidr: Cidr): boolean {
  const host = name.slice(0, name.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 || contains(cidr, host);
}
