import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cidr, contains, isLoopback, isPublic, parseCidr } from "./address.ts";

describe("T5: only what is certainly public passes", () => {
  test.each([
    ...`127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.1.2.3 172.16.0.1 172.31.9.9 192.168.0.1 169.254.169.254 169.254.0.1
    100.64.0.1 100.127.255.255 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
    192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    168.63.129.16`.split(/\s+/),
    ...`::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 2002:7f00:1:: 2002:0a00:0001:: 2002:808:808::
    2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1::1
    2001:db8::1 2620:4f:8000::1 3fff::1 3fff:fff::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 febf::1 fec0::1 ff02::1
    ff0e::1 100::1 100:0:0:1::1 5f00::1 4000::1 e000::1 200::1 1::1
    2606:50c0::5efe:10.0.0.1 2606:50c0::200:5efe:10.0.0.1 2606:50c0::100:5efe:8.8.8.8`.split(/\s+/),
  ])("%s is refused", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each(
    `140.82.121.3 185.199.108.133 8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 168.63.129.17
    2606:50c0:8000::153 2001:4860:4860::8888 2a00:1450::1 2620:4f:8001::1`.split(/\s+/),
  )("%s passes", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test.each([
    "",
    " ",
    "github.com",
    "8.8.8",
    "8.8.8.8.",
    "8.8.8.8 ",
    "8.8.8.8/32",
    "08.8.8.8",
    "0x08.8.8.8",
    "134744072",
    "256.1.1.1",
    "8.8.8.8\n",
    "[2606:50c0::1]",
    "2606:50c0::1%eth0",
    "2606:50c0::1::",
    "：：1",
  ])("what is no address (%j) is not public", (text) => {
    expect(isPublic(text)).toBe(false);
    expect(contains({ address: "10.0.0.0", prefix: 8 }, text)).toBe(false);
  });

  test("no address that carries another one is public, whichever it carries", () => {
    const carriers = ["::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "2606:50c0::5efe:", "2a00::200:5efe:"];
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...carriers), (inner, carrier) => {
        expect(isPublic(carrier + inner)).toBe(false);
      }),
    );
  });

  test("whatever the text is, nothing throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.ipV4Extended(), fc.ipV6()), (text) => {
        expect(typeof isPublic(text)).toBe("boolean");
        expect(typeof contains({ address: text, prefix: 8 }, text)).toBe("boolean");
        parseCidr(`${text}/8`);
      }),
    );
  });
});

describe("IN-4: ranges for private pairs", () => {
  test.each<[string, Cidr]>([
    ["127.0.0.1/32", { address: "127.0.0.1", prefix: 32 }],
    ["10.0.0.0/8", { address: "10.0.0.0", prefix: 8 }],
    ["172.16.0.0/12", { address: "172.16.0.0", prefix: 12 }],
    ["192.168.4.0/22", { address: "192.168.4.0", prefix: 22 }],
    ["100.64.0.0/11", { address: "100.64.0.0", prefix: 11 }],
    ["::1/128", { address: "::1", prefix: 128 }],
    ["FD12:0::/32", { address: "fd12::", prefix: 32 }],
  ])("%s", (text, cidr) => {
    expect(parseCidr(text)).toEqual(cidr);
  });

  test.each([
    ..."0.0.0.0/0 ::/0 0.0.0.0/8 8.8.8.8/32 128.0.0.0/1 2606:50c0::/32 10.0.0.0/7 172.16.0.0/11 192.168.0.0/15".split(
      " ",
    ),
    ..."169.254.0.0/16 169.254.169.254/32 fe80::/10 fe80::1/128 168.63.129.16/32 192.0.0.192/32 192.0.0.0/24".split(
      " ",
    ),
    ..."100.64.0.0/10 100.100.100.200/32 100.100.0.0/16 fc00::/7 fd00::/8 fd00:ec2::254/128 fd00:ec2::/24".split(" "),
    ..."::/96 ::ffff:127.0.0.1/128 ::ffff:10.0.0.0/104 64:ff9b::/96 fec0::/10 ff00::/8 224.0.0.0/4 240.0.0.0/4".split(
      " ",
    ),
    ..."10.0.0.1/8 10.0.0.0 10.0.0.0/33 ::1/129 10.0.0.0/08 10.0.0.0/-1 10.0.0.0/ /8 10/8 0xa.0.0.0/8 fd12::1/64".split(
      " ",
    ),
    "",
    "10.0.0.0/8 ",
    "10.0.0.0/8\n",
    "fe80::%1/10",
    "127.0.0.1/1e1",
  ])("%j is refused", (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });

  test("a range has an address exactly when their first bits are the same", () => {
    const byte = fc.nat(255);
    const number = (bytes: readonly number[]) => bytes.reduce((sum, each) => sum * 256 + each, 0);
    fc.assert(
      fc.property(byte, byte, byte, fc.integer({ min: 8, max: 32 }), byte, byte, byte, (a, b, c, prefix, x, y, z) => {
        const size = 2 ** (32 - prefix);
        const start = Math.floor(number([10, a, b, c]) / size) * size;
        const address = [24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join(".");
        const isIn = Math.floor(number([10, x, y, z]) / size) * size === start;
        expect(contains({ address, prefix }, `10.${x}.${y}.${z}`)).toBe(isIn);
        expect(parseCidr(`${address}/${prefix}`)).toEqual({ address, prefix });
      }),
    );
  });

  test.each([
    ["169.254.0.0", 16, "169.254.169.254"],
    ["0.0.0.0", 0, "169.254.169.254"],
    ["0.0.0.0", 0, "0.0.0.0"],
    ["0.0.0.0", 0, "8.8.8.8"],
    ["100.64.0.0", 10, "100.100.100.200"],
    ["192.0.0.0", 24, "192.0.0.192"],
    ["168.63.129.16", 32, "168.63.129.16"],
    ["fd00::", 8, "fd00:ec2::254"],
    ["fe80::", 10, "fe80::1"],
    ["::", 0, "::ffff:127.0.0.1"],
    ["127.0.0.0", 8, "::ffff:127.0.0.1"],
    ["::1", 128, "127.0.0.1"],
  ])(
    "link-local and metadata addresses are in no range, however it came about: %s/%i, %s",
    (address, prefix, inside) => {
      expect(contains({ address, prefix }, inside)).toBe(false);
    },
  );

  test.each([
    ["127.0.0.1", 32, true],
    ["127.0.0.0", 8, true],
    ["::1", 128, true],
    ["10.0.0.0", 8, false],
    ["126.0.0.0", 7, false],
    ["::", 127, false],
    ["rubbish", 8, false],
  ])("loopback: %s/%i %s", (address, prefix, is) => {
    expect(isLoopback({ address, prefix })).toBe(is);
  });
});
