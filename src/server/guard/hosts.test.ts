import { describe, expect, test } from "vitest";
import { createHosts } from "./hosts.ts";

const hosts = createHosts(["Skills.example.org", "proxy.example.org:8443"], 8080, ["192.168.0.7"]);

function isTaken(host: string | string[] | undefined, origin?: string | string[], url = "/healthz"): boolean {
  const all = (value: string | string[] | undefined) => (value === undefined ? undefined : [value].flat());
  try {
    hosts.check({ url, headersDistinct: { host: all(host), origin: all(origin) } });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "host.refused" });
    return false;
  }
}

describe("T36: the names of a server", () => {
  test.each([
    "localhost:8080",
    "LOCALHOST:8080",
    "127.0.0.1:8080",
    "[::1]:8080",
    "192.168.0.7:8080",
    "skills.example.org",
    "skills.example.org:8080",
    "proxy.example.org:8443",
  ])("T36: %s is one", (host) => {
    expect(isTaken(host)).toBe(true);
  });

  test.each([
    undefined,
    "",
    "localhost",
    "localhost:80",
    "localhost:8081",
    "127.0.0.1",
    "127.0.0.2:8080",
    "192.168.0.7",
    "0.0.0.0:8080",
    "[::]:8080",
    "::1",
    "localhost.:8080",
    "localhost:8080.",
    "localhost:08080",
    " localhost:8080",
    "localhost:8080,evil.example",
    "user@localhost:8080",
    "evil.example:8080",
    "localhost.evil.example:8080",
    "skills.example.org:443",
    "proxy.example.org",
    "proxy.example.org:8080",
    "xskills.example.org",
  ])("T36: %s is none", (host) => {
    expect(isTaken(host)).toBe(false);
  });

  test("T36: two are none, also when both would be right", () => {
    expect(isTaken(["localhost:8080", "localhost:8080"])).toBe(false);
    expect(isTaken("localhost:8080", ["http://localhost:8080", "http://localhost:8080"])).toBe(false);
  });

  test.each(["http://evil.example/healthz", "*", "", "evil.example:443"])("T36: the target %s is refused", (url) => {
    expect(isTaken("localhost:8080", undefined, url)).toBe(false);
  });
});

describe("T36: the pages that may ask", () => {
  test.each([
    "http://localhost:8080",
    "http://127.0.0.1:8080",
    "https://skills.example.org",
    "https://proxy.example.org:8443",
  ])("T36: %s", (origin) => {
    expect(isTaken("localhost:8080", origin)).toBe(true);
  });

  test.each([
    "null",
    "",
    "http://localhost",
    "https://localhost:8080",
    "http://localhost:3000",
    "http://evil.example",
    "http://localhost:8080.evil.example",
    "file://",
    "https://proxy.example.org",
  ])("T36: but not %s", (origin) => {
    expect(isTaken("localhost:8080", origin)).toBe(false);
  });

  test("T36: on port 80 a browser leaves the port out", () => {
    const usual = createHosts([], 80);
    const called = { url: "/", headersDistinct: { host: ["localhost"], origin: ["http://localhost"] } };
    expect(() => usual.check(called)).not.toThrow();
  });

  test.each(["https://a.example", "a.example/", "a b", "", "*.example.org", "a:b", "::1"])(
    "T36: a name that cannot be one is refused when it is set up: %s",
    (name) => {
      expect(() => createHosts([name], 8080)).toThrow("is no host name; write name or name:port");
    },
  );
});

describe("T37: how a request came, as its browser sees it", () => {
  test.each([
    ["localhost:8080", undefined, "loopback"],
    ["127.0.0.1:8080", "http://127.0.0.1:8080", "loopback"],
    ["[::1]:8080", undefined, "loopback"],
    ["192.168.0.7:8080", undefined, "plain"],
    ["skills.example.org", undefined, "https"],
    ["skills.example.org", "https://skills.example.org", "https"],
    ["SKILLS.example.org", "HTTPS://skills.example.org", "https"],
    ["skills.example.org", "http://skills.example.org", "plain"],
    ["skills.example.org:8080", "http://skills.example.org:8080", "plain"],
    ["proxy.example.org:8443", undefined, "https"],
  ])("T37: to %s from %s: %s", (host, origin, channel) => {
    const headers = { host: [host], origin: origin === undefined ? undefined : [origin] };
    expect(hosts.check({ url: "/", headersDistinct: headers })).toBe(channel);
  });

  test("T37: a name of loopback at a proxy's port is what the page says it is", () => {
    const named = createHosts(["localhost:8443"], 8080);
    const came = (origin?: string) =>
      named.check({
        url: "/",
        headersDistinct: { host: ["localhost:8443"], origin: origin === undefined ? undefined : [origin] },
      });
    expect([came(), came("https://localhost:8443"), came("http://localhost:8443")]).toEqual([
      "https",
      "https",
      "loopback",
    ]);
  });
});
