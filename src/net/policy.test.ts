import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairsOf } from "../../test/support/loopback.ts";
import { AppError } from "../core/error.ts";
import { githubCom } from "./host-set.ts";
import { type EgressPolicy, githubPolicy, originPolicy, providerPolicy } from "./policy.ts";
import { isPairName, mayBePlain, pairName } from "./private-pairs.ts";

const pairs = pairsOf({
  "127.0.0.1:18099": "127.0.0.1/32",
  "[::1]:18099": "::1/128",
  "localhost:80": "127.0.0.0/8",
  "models.internal:80": "10.0.0.0/8",
});
const provider = providerPolicy(pairs);

function said(url: string, policy: EgressPolicy = provider): string {
  try {
    return policy.admit(url).href;
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe("IN-4: the policy for model services", () => {
  test.each([
    ["https://api.example.com/v1/chat?x=1", "https://api.example.com/v1/chat?x=1"],
    ["https://api.example.com:8443/v1", "https://api.example.com:8443/v1"],
    ["HTTPS://API.example.com/v1", "https://api.example.com/v1"],
    ["https://10.0.0.1/v1", "https://10.0.0.1/v1"],
    ["http://127.0.0.1:18099/v1", "http://127.0.0.1:18099/v1"],
    ["http://[::1]:18099/v1", "http://[::1]:18099/v1"],
    ["http://localhost/v1", "http://localhost/v1"],
  ])("%s may be asked", (url, href) => {
    expect(said(url)).toBe(href);
  });

  test.each([
    "http://api.example.com/v1",
    "http://models.internal/v1",
    "http://127.0.0.1:18098/v1",
    "http://127.0.0.1/v1",
    "http://localhost.:80/v1",
    "http://localhost:81/v1",
  ])("plain http is for loopback pairs alone: %s", (url) => {
    expect(said(url)).toMatch(/^egress\.refused .*use https$/);
  });

  test.each(["https://user@api.example.com/", "https://user:hunter2@api.example.com/", "https://:hunter2@a/"])(
    "T1: no user name or password: %s",
    (url) => {
      expect(said(url)).toMatch(/^egress\.refused .*user name or password/);
      expect(said(url)).not.toContain("hunter2");
    },
  );

  test.each([
    "",
    "api.example.com",
    "//api.example.com/",
    "https:",
    "https://",
    "https:///v1",
    "https:api.example.com",
    "https:\\\\api.example.com\\v1",
    "https://api.example.com\\@evil.example/",
    "https://api.example.com/a b",
    "https://api.example.com/a\tb",
    "https://api.exam\nple.com/",
    " https://api.example.com/",
    "https://api.exam\u00adple.com/",
    "https://?x",
    "https://#x",
    "https://a:99999/",
    "https://[::1/",
    "ftp://api.example.com/",
    "file:///etc/passwd",
    "data:text/plain,hi",
    "javascript:alert(1)",
    "ws://api.example.com/",
    `https://a/${"x".repeat(9000)}`,
  ])("T1: what is not plainly an address is refused: %j", (url) => {
    expect(said(url)).toMatch(/^egress\.refused .*`https:\/\/host/);
  });

  test("whatever the text is, it is admitted as https, as a loopback pair, or refused", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.webUrl({ validSchemes: ["http", "https", "ftp"], withQueryParameters: true }),
    );
    fc.assert(
      fc.property(text, (url) => {
        const answer = said(url);
        expect(answer.startsWith("https://") || answer.startsWith("egress.refused ")).toBe(true);
      }),
    );
  });
});

describe("IN-3, IN-4: the policy for skills", () => {
  const github = githubPolicy(
    [
      githubCom,
      {
        name: "local",
        api: "http://127.0.0.1:18099/api",
        raw: "http://[::1]:18099",
        codeload: "http://models.internal",
        web: "https://127.0.0.1:18098",
      },
    ],
    pairs,
  );

  test.each([
    "https://api.github.com/repos/octo/skills?ref=x",
    "http://127.0.0.1:18099/api/repos",
    "http://[::1]:18099/octo",
    "https://127.0.0.1:18098/octo",
  ])("%s may be asked", (url) => {
    expect(github.name).toBe("github");
    expect(said(url, github)).toBe(url);
  });

  test.each([
    ["no base lies there", "https://api.example.com/v1"],
    ["no base lies there, though a pair does", "http://localhost/octo"],
    ["the base of that place is https", "http://127.0.0.1:18098/octo"],
    ["its base is http", "https://127.0.0.1:18099/api/repos"],
    ["its base has a path", "http://127.0.0.1:18099/raw"],
    ["its pair is not loopback", "http://models.internal/octo"],
  ])("refused where %s: %s", (_why, url) => {
    expect(said(url, github)).toMatch(/^host\.refused the request was not sent: /);
  });

  test("without a pair no base is asked in plain http", () => {
    const local = "http://127.0.0.1:18099";
    const set = { name: "local", api: local, raw: local, codeload: local, web: local };
    expect(said(`${local}/octo`, githubPolicy([set], pairs))).toBe(`${local}/octo`);
    expect(said(`${local}/octo`, githubPolicy([set], new Map()))).toMatch(/^host\.refused .*; use https$/);
  });
});

describe("IN-4: how a pair names a place", () => {
  test.each([
    ["https:", "api.example.com", "", "api.example.com:443"],
    ["http:", "localhost", "", "localhost:80"],
    ["http:", "127.0.0.1", "18099", "127.0.0.1:18099"],
    ["https:", "::1", "8443", "[::1]:8443"],
    ["https:", "[::1]", "8443", "[::1]:8443"],
  ])("%s %s %s", (protocol, hostname, port, name) => {
    expect(pairName({ protocol, hostname, port })).toBe(name);
    expect(isPairName(name)).toBe(true);
  });

  test("every URL's own host and port is a name that a pair can have", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.ipV4Extended(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        fc.nat(65535),
        (host, port) => {
          fc.pre(port > 0 && URL.canParse(`https://${host}:${port}`));
          expect(isPairName(pairName(new URL(`https://${host}:${port}`)))).toBe(true);
        },
      ),
    );
  });

  test("a pair is for its own port", () => {
    expect(mayBePlain(pairs, new URL("http://127.0.0.1:18099"))).toBe(true);
    expect(mayBePlain(pairs, new URL("http://127.0.0.1:18090"))).toBe(false);
  });
});

describe("SV-11: the policy for one service that was named", () => {
  const hook = originPolicy("https://hooks.example.org/a?b=c", pairs);
  const near = originPolicy("http://127.0.0.1:18099/a", pairs);

  test("its own origin may be asked, whatever the path", () => {
    expect(said("https://hooks.example.org/x?y", hook)).toBe("https://hooks.example.org/x?y");
    expect(said("http://127.0.0.1:18099/x", near)).toBe("http://127.0.0.1:18099/x");
  });

  test.each([
    "https://hooks.example.org:8443/a",
    "https://hooks.example.org.evil.example/a",
    "https://evil.example/hooks.example.org",
    "http://127.0.0.1:18099/a",
  ])("nothing else: %s", (url) => {
    expect(said(url, hook)).toMatch(/^egress\.refused .*it is for https:\/\/hooks\.example\.org alone/);
  });

  test("named in plain http, it needs its pair", () => {
    expect(said("http://hooks.example.org/a", originPolicy("http://hooks.example.org/a", pairs))).toMatch(
      /^egress\.refused .*use https$/,
    );
  });
});
