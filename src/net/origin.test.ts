import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { githubCom, type HostSet } from "./host-set.ts";
import { createOriginGuard, type OriginGuard } from "./origin.ts";

const own: HostSet = {
  name: "corp",
  api: "https://git.corp.example/api/v3",
  raw: "https://git.corp.example/raw",
  codeload: "https://git.corp.example:8443",
  web: "https://www.corp.example",
};
const local: HostSet = {
  name: "local",
  api: "http://127.0.0.1:18099/api",
  raw: "http://[::1]:18099",
  codeload: "http://other.internal/tar",
  web: "https://[2001:db8::1]",
};
const guard = createOriginGuard([githubCom, own, local], ({ port }) => port === "18099");

function said(text: string, by: OriginGuard = guard): string {
  try {
    return by.admit(text).href;
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const sha = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c";

describe("IN-3: what lies below a base URL may be asked", () => {
  test.each([
    "https://github.com/octo/skills",
    "https://github.com/octo/skills/",
    "https://github.com/",
    "https://api.github.com/repos/octo/skills/commits/heads/main?per_page=1&path=a%2Fb/c?d",
    `https://raw.githubusercontent.com/octo/skills/${sha}/a%20b/%C3%BC/...x/SKILL.md`,
    `https://codeload.github.com/octo/skills/tar.gz/${sha}`,
    "https://git.corp.example/api/v3",
    "https://git.corp.example/api/v3/repos/octo/skills?ref=x",
    `https://git.corp.example/raw/octo/skills/${sha}/@scope/a;b,c=d`,
    "https://git.corp.example:8443/octo/skills",
    "http://127.0.0.1:18099/api/repos/octo/skills",
    "http://[::1]:18099/octo",
    "https://[2001:db8::1]/octo",
  ])("%s", (text) => {
    expect(said(text)).toBe(text);
  });

  test.each([
    ["https://RAW.GitHubUserContent.com/O/R/x", "https://raw.githubusercontent.com/O/R/x"],
    ["https://api.github.com:443/repos", "https://api.github.com/repos"],
    ["https://GIT.corp.example:443/raw/X", "https://git.corp.example/raw/X"],
    ["http://[::1]:18099/OCTO", "http://[::1]:18099/OCTO"],
  ])("only the host may have capitals, and the usual port may be said: %s", (text, href) => {
    expect(said(text)).toBe(href);
  });

  test.each([
    "https://git.corp.example/",
    "https://git.corp.example/api",
    "https://git.corp.example/api/v3x/repos",
    "https://git.corp.example/api/v30",
    "https://git.corp.example/API/v3/repos",
    "https://git.corp.example/rawer/x",
    "https://git.corp.example/octo/raw/x",
    "https://git.corp.example:8080/raw/x",
    "https://git.corp.example:443/octo",
    "https://www.corp.example:8443/octo",
    "http://git.corp.example/raw/x",
    "http://git.corp.example:443/raw/x",
    "http://github.com/octo/skills",
    "http://github.com:443/octo/skills",
    "https://github.com:80/octo/skills",
    "https://127.0.0.1:18099/api/repos",
    "http://127.0.0.1/api/repos",
    "http://127.0.0.1:18098/api/repos",
    "http://[2001:db8::1]/octo",
  ])("a known host by another scheme, port or path is refused: %s", (text) => {
    expect(said(text)).toMatch(
      /^host\.refused the request was not sent: \S+ may be asked, but not by this scheme, port or path; `github` /,
    );
  });

  test.each(["https://git.corp.example/api/v3/../../x", "https://git.corp.example/raw/..", "https://github.com/a/./b"])(
    "T2: a base is not left by steps: %s",
    (text) => {
      expect(said(text)).toMatch(/^host\.refused .*may lead elsewhere; leave out/);
    },
  );

  test("IN-4: plain http needs a base that says so, and leave for that place", () => {
    expect(said("http://other.internal/tar/x")).toBe(
      "host.refused the request was not sent: plain http is for loopback addresses in `network.private` only, not for other.internal; use https",
    );
    const careless = createOriginGuard([githubCom], () => true);
    expect(said("http://github.com/octo/skills", careless)).toMatch(/^host\.refused .*not by this scheme/);
  });

  test("an unknown host is told which ones there are and who names others", () => {
    expect(
      said(
        "https://gitlab.example/octo/hunter2",
        createOriginGuard([githubCom], () => false),
      ),
    ).toBe(
      "host.refused the request was not sent: gitlab.example is no host that skills may come from; those are api.github.com, raw.githubusercontent.com, codeload.github.com, github.com, and `github` in the configuration names others",
    );
    expect(said("https://gitlab.example/x")).toContain("git.corp.example, www.corp.example, 127.0.0.1, [::1], ");
  });

  test("nothing but the host is ever repeated", () => {
    const secret = "ghp_hunter2";
    for (const text of [
      `https://${secret}@github.com/a`,
      `https://x:${secret}@github.com/a`,
      `https://github.com/${secret}/../a`,
      `https://github.com/a?token=${secret}`,
      `https://github.com/a#${secret}`,
      `https://gitlab.example/${secret}?${secret}`,
      `http://github.com/${secret}`,
      `http://other.internal/tar/${secret}`,
      `https://api.github.com/a?b='${secret}`,
      secret,
    ]) {
      expect(said(text)).toMatch(/^host\.refused .*; \S+|^host\.refused .*, and \S+/);
      expect(said(text)).not.toContain("hunter2");
    }
    expect(said(`https://${"a".repeat(8000)}.example/`).length).toBeLessThan(700);
  });
});

describe("T1, T2: the text decides, and the parser must find nothing to repair", () => {
  test.each([
    'https://github.com/a"b',
    "https://github.com/<a>",
    "https://github.com/a`b",
    "https://github.com/{a}",
    "https://api.github.com/search?q='a'",
    "https://api.github.com/search?q=<a>",
  ])("what it would rewrite is refused: %s", (text) => {
    expect(new URL(text).href).not.toBe(text);
    expect(said(text)).toMatch(/^host\.refused .*not plainly/);
  });

  test("8192 characters at most", () => {
    const start = "https://github.com/";
    expect(said(start + "a".repeat(8192 - start.length))).toMatch(/^https:/);
    expect(said(start + "a".repeat(8193 - start.length))).toMatch(/^host\.refused .*not plainly/);
  });

  test("whatever is put into an address, it is refused or still lies below its base, byte for byte", () => {
    const bases = [githubCom, own].flatMap(({ api, raw, codeload, web }) => [api, raw, codeload, web]);
    const pieces = [
      ".",
      "..",
      "/",
      "//",
      "\\",
      "@",
      "%2e",
      "%2F",
      "%",
      ":",
      ":443",
      "?",
      "#",
      "\t",
      "\n",
      "\u00ad",
      "\uff0e",
      "a",
    ];
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 3 }));
    const edits = fc.array(fc.tuple(fc.nat(80), piece), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...bases), edits, (start, all) => {
        const text = all.reduce((whole, [at, put]) => whole.slice(0, at) + put + whole.slice(at), `${start}/o/r/x`);
        const answer = said(text);
        if (answer.startsWith("host.refused ")) return;
        expect(bases.some((base) => answer.startsWith(base) && /^[/?]/.test(answer.slice(base.length)))).toBe(true);
        expect(answer.slice(answer.indexOf("/", 8))).toBe(text.slice(text.indexOf("/", 8)));
        expect(answer).not.toMatch(/[#\\]|[^!-~]/);
        expect(answer.split("?")[0]).not.toMatch(/\/\.{1,2}(?:\/|$)|%2e|%2f/i);
      }),
      { numRuns: 1000 },
    );
  });

  test("whatever the text is, nothing but `host.refused` is thrown", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.webUrl({ withFragments: true, withQueryParameters: true }));
    fc.assert(
      fc.property(text, (url) => {
        expect(said(url)).toMatch(/^host\.refused /);
      }),
    );
  });
});

describe("IN-3: a base that could fit no request is refused when it is named", () => {
  test.each([
    "",
    "git.corp.example",
    "https://",
    "https://git.corp.example/",
    "https://git.corp.example/api/",
    "https://git.corp.example/api//v3",
    "https://git.corp.example/api/../v3",
    "https://git.corp.example/%2e%2e",
    "https://git.corp.example/api?x=1",
    "https://git.corp.example/#api",
    "https://git.corp.example.",
    "https://git..example",
    "https://hunter2@git.corp.example",
    "https://hunter2:hunter2@git.corp.example/api",
    "https://0x7f.1",
    "https://127.1",
    "https://[::0001]",
    "https://git.corp.example:0",
    "https://git.corp.example:99999",
    "ftp://git.corp.example",
    "https://gít.corp.example",
    "https://git.corp.example/a b",
    'https://git.corp.example/a"b',
  ])("%j", (api) => {
    const create = () => createOriginGuard([githubCom, { ...own, api }], () => true);
    expect(create).toThrow(expect.objectContaining({ code: "config.invalid" }));
    expect(create).toThrow(/^`github`: `api` of corp cannot be used; write `https:\/\/host`/);
    expect(create).not.toThrow(/hunter2/);
  });

  test("capitals in its host and its usual port are as in any address", () => {
    const set = { ...own, api: "https://GIT.corp.example:443/api/v3" };
    expect(
      said(
        "https://git.corp.example/api/v3/x",
        createOriginGuard([set], () => false),
      ),
    ).toBe("https://git.corp.example/api/v3/x");
  });
});
