import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const [proxy, outer, client] = ["10.1.2.3", "fd00::a", "203.0.113.7"];
const proxies = [proxy, outer];

function addressOf(remoteAddress: string | undefined, ...lines: string[]): string {
  const headersDistinct = lines.length === 0 ? {} : { "x-forwarded-for": lines };
  return clientAddress({ socket: { remoteAddress }, headersDistinct }, proxies);
}

test.each([
  [proxy, client, client],
  ["::ffff:10.1.2.3", "::ffff:203.0.113.7", client],
  ["::FFFF:0a01:0203", "2001:DB8:0::1", "2001:db8::1"],
  // A proxy before the proxy.
  [proxy, `${client}, ${outer}`, client],
  [outer, `${client},${proxy},${outer}`, client],
  // It asks for itself.
  [proxy, outer, outer],
])("T41: behind the proxy %s, %s is %s", (peer, header, expected) => {
  expect(addressOf(peer, header)).toBe(expected);
});

test("T41: a proxy that writes a line of its own below what came is read as one that goes on in it", () => {
  expect(addressOf(proxy, "198.51.100.1", client)).toBe(client);
  expect(addressOf(proxy, `198.51.100.1, ${client}`, outer)).toBe(client);
});

test.each(["198.51.100.1", "198.51.100.1, 198.51.100.2", "10.1.2.3, 10.1.2.3", "nonsense", ","])(
  "T38: %s before what the proxy has added changes nothing",
  (forged) => {
    expect(addressOf(proxy, `${forged}, ${client}`)).toBe(client);
    expect(addressOf(proxy, forged, client)).toBe(client);
  },
);

test.each(["10.1.2.4", "127.0.0.1", "203.0.113.9", "fd00::b"])("T38: what %s says is said by nobody", (peer) => {
  expect(addressOf(peer, "198.51.100.1")).toBe(peer);
  expect(addressOf(peer, `198.51.100.1, ${proxy}`)).toBe(peer);
});

test.each(["", " ", "unknown", "203.0.113.7:4711", "[2001:db8::1]", "_hidden", "203.0.113", "0x7f.1", `${client}, `])(
  "T41: with %s at its end the address of the connection stays",
  (header) => {
    expect(addressOf("::ffff:10.1.2.3", header)).toBe(proxy);
  },
);

test("T41: without the header, or without a connection, it is what it is", () => {
  expect([addressOf(proxy), addressOf("::ffff:203.0.113.7"), addressOf(undefined, client)]).toEqual([
    proxy,
    client,
    "",
  ]);
});
