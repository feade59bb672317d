import { describe, expect, test } from "vitest";
import { githubCom, type HostSet } from "../../net/host-set.ts";
import { parseConfig } from "./config-file.ts";

const ghe: HostSet = {
  name: "ghe",
  api: "https://ghe.example.org/api/v3",
  raw: "https://raw.ghe.example.org",
  codeload: "https://codeload.ghe.example.org",
  web: "https://ghe.example.org",
};

/** The name stands on line 2, its services on lines 3 to 6. */
function yamlOf(...sets: readonly HostSet[]): string {
  const lines = ["github:"];
  for (const { name, ...bases } of sets) {
    lines.push(`  ${name}:`);
    for (const [service, base] of Object.entries(bases)) lines.push(`    ${service}: "${base}"`);
  }
  return `${lines.join("\n")}\n`;
}

const read = (text: string) => parseConfig(text, "c.yaml");
const said = (text: string) => read(text).findings.map(({ code, at, message }) => `${code} ${at.line} ${message}`);

describe("IN-3: the host sets of the configuration", () => {
  test("come in the order of the file, and github.com after them", () => {
    const other = {
      ...ghe,
      name: "other-1.example",
      api: "https://o/api",
      raw: "https://o/raw",
      codeload: "https://o/tar",
      web: "https://o",
    };
    expect(read(yamlOf(other, ghe))).toMatchObject({ findings: [], config: { github: [other, ghe, githubCom] } });
  });

  test("one that is named github.com stands in its place, wherever that is", () => {
    const mirror = { ...ghe, name: "github.com" };
    expect(read(yamlOf(mirror)).config.github).toEqual([mirror]);
    expect(read(yamlOf(githubCom)).config.github).toEqual([githubCom]);
    const other = { ...ghe, api: "https://o/api", raw: "https://o/raw", codeload: "https://o/tar", web: "https://o" };
    expect(read(yamlOf(other, mirror)).config.github).toEqual([other, mirror]);
  });

  test.each([
    ["https://ghe.example.org/api/v3/", "https://ghe.example.org/api/v3"],
    ["https://ghe.example.org:443/api", "https://ghe.example.org/api"],
    ["https://ghe.example.org:8443", "https://ghe.example.org:8443"],
    ["https://10.0.0.1/a-b/c_d", "https://10.0.0.1/a-b/c_d"],
    ["https://[fd12::1]:8443/api", "https://[fd12::1]:8443/api"],
  ])("%s is asked as %s", (written, asked) => {
    const { config, findings } = read(yamlOf({ ...ghe, api: written }));
    expect([config.github[0].api, findings]).toEqual([asked, []]);
  });

  test.each([
    "ghe.example.org/api",
    "ftp://ghe.example.org",
    "HTTPS://ghe.example.org/api",
    "https://GHE.example.org/api",
    "https://user@ghe.example.org/api",
    "https://user:secret@ghe.example.org/api",
    "https://ghe.example.org/api?x=1",
    "https://ghe.example.org/api#x",
    "https://ghe.example.org/api//v3",
    "https://ghe.example.org/api/../v3",
    "https://ghe.example.org/./api",
    "https://ghe.example.org/%2e%2e/api",
    "https://ghe.example.org/a%2fb",
    "https://ghe.example.org./api",
    "https://ghe.example.org:0/api",
    "https://ghe.example.org:65536/api",
    "https://ghe.example.org:/api",
    "https://127.1/api",
    "https://2130706433/api",
    "https://[::0001]/api",
    "https:///api",
    "https://ghé.example.org/api",
    "https://ghe.example.org/äpi",
    "https://ghe.example.org/a b",
    "https://ghe.example.org/a;b",
    " https://ghe.example.org/api",
    `https://ghe.example.org/${"a".repeat(512)}`,
    "",
  ])("T1: %j is no base URL, and it is said on its line without being repeated", (api) => {
    const { config, findings } = read(yamlOf({ ...ghe, api }));
    expect(config.github).toEqual([githubCom]);
    expect(findings).toMatchObject([{ code: "config.wrong-value", level: "high", at: { line: 3 } }]);
    expect(findings[0]?.message).toMatch(/^github: expected as `api` a base URL such as .*nothing else$/);
    expect(findings[0]?.message).not.toContain("secret");
  });

  test.each(["-a", "a--b", "a.", "a_", "a b", "ä", "a/b", "x".repeat(65), "__proto__"])(
    "%j cannot be the name of a set",
    (name) => {
      expect(said(yamlOf({ ...ghe, name }))).toEqual([
        expect.stringMatching(/^config\.wrong-value 2 github: expected a name as the key/),
      ]);
    },
  );

  test.each([
    ["  ghe:", 2],
    ["  ghe: https://ghe.example.org", 2],
    ["  ghe: { api: https://a, raw: https://b, codeload: https://c }", 2],
    ["  ghe: { api: https://a, raw: https://b, codeload: https://c, web: https://d, uploads: https://e }", 2],
  ])("%s: all four, and nothing else", (line, at) => {
    expect(said(`github:\n${line}\n`)).toEqual([
      `config.wrong-value ${at} github: expected \`api\`, \`raw\`, \`codeload\` and \`web\` below each name, and nothing else`,
    ]);
  });

  test("every mistake is named, in the order of the file", () => {
    const { findings } = read(yamlOf({ ...ghe, name: "-A", raw: "x" }, { ...ghe, codeload: "y", web: "z" }));
    expect(findings.map(({ at }) => at.line)).toEqual([2, 3, 4, 8, 10, 11]);
  });

  test("more than sixteen are refused as a whole", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `s${at}`,
        api: `https://s${at}/api`,
        raw: `https://s${at}/raw`,
        codeload: `https://s${at}/tar`,
        web: `https://s${at}`,
      }));
    expect(read(yamlOf(...many(16))).config.github).toHaveLength(17);
    expect(said(yamlOf(...many(17)))).toEqual([
      expect.stringMatching(/^config\.wrong-value 1 github: expected .*at most 16/),
    ]);
  });
});

describe("T9: of which set an address is, is never in doubt", () => {
  test.each<[string, Partial<HostSet>]>([
    ["two services at one place", { raw: ghe.api }],
    ["one below another", { raw: `${ghe.api}/raw` }],
    ["all at one place", { api: ghe.web, raw: ghe.web, codeload: ghe.web }],
  ])("within one set it does not matter: %s", (_, services) => {
    const { config, findings } = read(yamlOf({ ...ghe, ...services }));
    expect([config.github[0], findings]).toEqual([{ ...ghe, ...services }, []]);
  });

  test.each<[string, Partial<HostSet>]>([
    ["the API of github.com", { api: githubCom.api }],
    ["what lies below its files", { raw: `${githubCom.raw}/mine` }],
  ])("no set has %s besides", (_, services) => {
    const line = "api" in services ? 3 : 4;
    const expected = /a base URL that is none of another set and lies below none of another set, but below a `web`$/;
    expect(read(yamlOf({ ...ghe, ...services })).findings).toMatchObject([
      { code: "config.wrong-value", at: { line }, message: expect.stringMatching(expected) },
    ]);
  });

  test("also between two sets", () => {
    const other = { name: "other", api: `${ghe.api}/x`, raw: "https://o/r", codeload: "https://o/c", web: "https://o" };
    expect(said(yamlOf(ghe, other))).toEqual([
      expect.stringMatching(/^config\.wrong-value 8 github: expected as `api`/),
    ]);
  });

  test("a name that begins alike is another place", () => {
    const { findings } = read(yamlOf({ ...ghe, raw: "https://ghe.example.org/api/v30" }));
    expect(findings).toEqual([]);
  });
});

describe("IN-4: plain http", () => {
  const plain = {
    name: "fake",
    api: "http://127.0.0.1:8001",
    raw: "http://127.0.0.1:8002/raw",
    codeload: "http://[::1]:8003",
    web: "http://127.0.0.1",
  };
  const pairs = (range = "127.0.0.1/32") => `network:
  private: { "127.0.0.1:8001": "${range}", "127.0.0.1:8002": "127.0.0.0/8", "[::1]:8003": "::1/128", "127.0.0.1:80": "127.0.0.1/32" }
`;

  test("is for loopback pairs, wherever in the file they stand", () => {
    for (const text of [yamlOf(plain) + pairs(), pairs() + yamlOf(plain)])
      expect(read(text)).toMatchObject({ findings: [], config: { github: [plain, githubCom] } });
  });

  test("is refused without its pair, on its own line", () => {
    const { config, findings } = read(yamlOf({ ...plain, raw: "http://127.0.0.1:9999/raw" }) + pairs());
    expect(config.github).toEqual([githubCom]);
    expect(findings.map(({ at, message }) => `${at.line} ${message}`)).toEqual([
      "4 github: expected as `raw` https: plain http is for a `host:port` that `network.private` has with a loopback range, and nowhere else",
    ]);
  });

  test("is refused for a pair that is not loopback", () => {
    const api = "http://ghe.internal:8001";
    const text = `${yamlOf({ ...ghe, api })}network:\n  private: { "ghe.internal:8001": "10.0.0.1/32" }\n`;
    expect(said(text)).toEqual([expect.stringMatching(/^config\.wrong-value 3 github: expected as `api` https/)]);
  });

  test("and https needs no pair to be named", () => {
    expect(read(yamlOf({ ...ghe, api: "https://10.0.0.1/api" })).findings).toEqual([]);
  });
});
