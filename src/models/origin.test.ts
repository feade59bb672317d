import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalOrigin } from "./origin.ts";

describe("RV-13: the origin of a provider", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://API.Example.com/", "https://api.example.com"],
    ["https://api.example.com:443/v1/", "https://api.example.com/v1"],
    ["https://api.example.com:8443/OpenAI/v1.5_x~", "https://api.example.com:8443/OpenAI/v1.5_x~"],
    ["https://xn--bcher-kva.example/v1", "https://xn--bcher-kva.example/v1"],
    ["https://10.0.0.7/v1", "https://10.0.0.7/v1"],
    ["https://[2001:db8::1]:9000", "https://[2001:db8::1]:9000"],
    ["http://localhost:11434/v1", "http://localhost:11434/v1"],
    ["http://127.0.0.1:80", "http://127.0.0.1"],
    ["http://127.9.9.9", "http://127.9.9.9"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ])("%s is kept as %s", (typed, kept) => {
    expect(normalOrigin(typed)).toBe(kept);
  });

  test.each([
    "",
    "api.example.com",
    "ftp://api.example.com",
    "file:///etc/passwd",
    "https:api.example.com",
    "https:/api.example.com",
    "https:///api.example.com",
    " https://api.example.com",
    "https://api.example.com\n",
    "ht\ttps://api.example.com",
    "https://api.exam\nple.com",
    "https://user:pw@api.example.com",
    "https://api.example.com@evil.example",
    "https://api.example.com\\@evil.example",
    "https://evil.example#@api.example.com",
    "https://api.example.com.",
    "https://api..example.com",
    "https://-api.example.com",
    "https://api.example.com:0443",
    "https://api.example.com:99999",
    "https://api.example.com:",
    "https://api%2eexample.com",
    "https://ａpi.example.com",
    "https://api。example.com",
    "https://api\u00ad.example.com",
    "https://gіthub.com",
    "https://api.example.com/v1?key=1",
    "https://api.example.com/v1#f",
    "https://api.example.com/v1?",
    "https://api.example.com/../v1",
    "https://api.example.com/a/./b",
    "https://api.example.com/%2e%2e/b",
    "https://api.example.com//v1",
    "https://api.example.com/a\\b",
    "https://2130706433",
    "https://0x7f.1",
    "https://0177.0.0.1",
    "https://127.1",
    "https://[0:0:0:0:0:0:0:1]",
    "https://[::ffff:127.0.0.1]",
    `https://${"a.".repeat(300)}example`,
  ])("T1: %j is refused, whatever a parser would make of it", (typed) => {
    expect(normalOrigin(typed)).toBeUndefined();
  });

  test.each([
    "http://api.example.com",
    "http://localhost.example.com",
    "http://foo.localhost",
    "http://127.0.0.1.example.com",
    "http://127.1",
    "http://127.0.0.256",
    "http://128.0.0.1",
    "http://[::2]",
    "http://0.0.0.0",
  ])("RV-13: %s would carry a secret in the clear", (typed) => {
    expect(normalOrigin(typed)).toBeUndefined();
  });

  test("T1: whatever is accepted has one spelling, and any parser sees the host that was written", () => {
    const piece = fc.constantFrom("https", "http", "://", "/", "a", "api", ".", "-", "@", ":", "\\", "#", "?", "[::1]");
    const more = fc.constantFrom("127.0.0.1", "localhost", "8443", "é", "%2e", "..", " ", "\t", "v1", "EXAMPLE", "com");
    const text = fc.array(fc.oneof(piece, more), { maxLength: 10 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(text, fc.webUrl(), fc.string()), (typed) => {
        const kept = normalOrigin(typed);
        if (kept === undefined) return;
        expect(normalOrigin(kept)).toBe(kept);
        expect(typed.toLowerCase()).toContain(`://${new URL(kept).hostname}`);
        expect([new URL(kept).username, new URL(kept).search, new URL(kept).hash]).toEqual(["", "", ""]);
      }),
      { numRuns: 500 },
    );
  });
});
