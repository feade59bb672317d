/** One household has a whole /64 of IPv6: its addresses count as one. */
export function addressGroup(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::", 2);
  const front = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === "" ? 0 : tail.split(":").length);
  const groups = [...front, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...(tail ?? "").split(":")];
  return groups.slice(0, 4).join(":");
}
