import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of private addresses in its one spelling: no bit is set behind the prefix. */
export interface Cidr {
  readonly address: string;
  readonly prefix: number;
}

/** All that is handed out to hosts on the internet (RFC 4291): whatever IPv6 puts elsewhere is something special. */
const globalUnicast = range("2000::/3");

/** Where a private pair may lie. */
const privateRanges = ranges("127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 ::1/128 fc00::/7");
const loopback = ranges("127.0.0.0/8 ::1/128");

/** Where clouds answer a machine about itself, outside the link-local ranges: Azure, Alibaba, Oracle, AWS, Google, Scaleway. */
const metadata = ranges(
  "168.63.129.16/32 100.100.100.200/32 192.0.0.192/32 fd00:ec2::/32 fd20:ce::254/128 fd00:42::42/128",
);

/**
 * Whether an address is certainly one of the public internet (IN-4). What carries another address inside (mapped,
 * translated, tunnelled) is not: nobody knows here where it would end. Never throws.
 */
export function isPublic(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || isWithinAny(address, metadata) || address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (isWithin(address, globalUnicast) && !isIsatap(address));
}

/** Tunnels that end at an IPv4 address, in whatever network: `…:0:5efe:a.b.c.d` (RFC 5214). */
function isIsatap(address: Address): boolean {
  const bytes = address.toByteArray();
  return ((bytes[8] ?? 0) & 0xfc) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

/** One text for all spellings of an address, also of IPv4 inside of IPv6; undefined for what is none. Never throws. */
export function canonicalAddress(text: string): string | undefined {
  // The parser takes these, which were given up long ago (RFC 4291), for mapped ones: another machine.
  const address = /^::\d+\.\d/.test(text) ? undefined : parseAddress(text);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return address?.toString();
}

/** A range for a private pair; undefined for any other range, also for one with a metadata address in it. */
export function parseCidr(text: string): Cidr | undefined {
  const [, head = "", digits = ""] = /^([0-9a-fA-F.:]{2,39})\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? [];
  const start = parseAddress(head);
  const prefix = Number(digits);
  if (start === undefined || prefix > (start.kind() === "ipv4" ? 32 : 128) || hasBitsBehind(start, prefix))
    return undefined;
  const isPrivate = privateRanges.some((allowed) => allowed.prefix <= prefix && isWithin(start, allowed));
  if (!isPrivate || metadata.some((each) => overlap({ start, prefix }, each))) return undefined;
  return { address: start.toString(), prefix };
}

/** Whether a range has an address. Metadata addresses are in none, whoever made the range. Never throws. */
export function contains(cidr: Cidr, text: string): boolean {
  const address = parseAddress(text);
  const start = parseAddress(cidr.address);
  if (address === undefined || start === undefined || isWithinAny(address, metadata)) return false;
  return isWithinAny(address, privateRanges) && isWithin(address, { start, prefix: cidr.prefix });
}

export function isLoopback(cidr: Cidr): boolean {
  const start = parseAddress(cidr.address);
  return start !== undefined && loopback.some((each) => each.prefix <= cidr.prefix && isWithin(start, each));
}

interface Range {
  readonly start: Address;
  readonly prefix: number;
}

function ranges(text: string): readonly Range[] {
  return text.split(" ").map(range);
}

function range(text: string): Range {
  const [start, prefix] = ipaddr.parseCIDR(text);
  return { start, prefix };
}

/** Strict: four decimal parts, or IPv6 without a zone. The other spellings of IPv4 are for the URL parser to undo. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function isWithin(address: Address, { start, prefix }: Range): boolean {
  return address.kind() === start.kind() && address.match(start, prefix);
}

function isWithinAny(address: Address, all: readonly Range[]): boolean {
  return all.some((each) => isWithin(address, each));
}

function overlap(a: Range, b: Range): boolean {
  return isWithin(a.start, b) || isWithin(b.start, a);
}

function hasBitsBehind(address: Address, prefix: number): boolean {
  const bits = address.toByteArray().map((byte) => byte.toString(2).padStart(8, "0"));
  return bits.join("").includes("1", prefix);
}
