import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { githubCom } from "../../net/host-set.ts";
import { type Config, parseConfig } from "./config-file.ts";

const defaults: Config = {
  store: null,
  review: {
    reviewers: false,
    decisions: { untrusted: 1, community: 1, verified: 1, first_party: 1 },
    separateAdder: false,
  },
  sync: {
    files: 2000,
    seconds: 120,
    bytes: 64 * 1024 * 1024,
    skip: ["__fixtures__", "__tests__", "fixtures", "testdata"],
    schedule: true,
  },
  usage: { retentionDays: 400 },
  github: [githubCom],
  network: { private: new Map() },
  serve: { hosts: [], publicUrl: null, proxies: [] },
  signIn: {
    password: true,
    proxy: { addresses: [], header: "x-forwarded-user" },
    oidc: null,
  },
  webhook: { url: null },
  publish: { enabled: false },
  gateway: {
    bodyBytes: 64 * 1024 * 1024,
    requestsPerMinute: 1200,
    concurrent: 1000,
    connectSeconds: 10,
    headersSeconds: 600,
    idleSeconds: 300,
    logPrompts: false,
  },
  route: { links: ["exact", "alias", "trigger", "paths", "lexical"], semantic: null, rerank: null, llm: null },
  degraded: { maxAgeSeconds: 3600 },
  telemetry: { endpoint: null },
};

const said = (text: string) =>
  parseConfig(text, "c.yaml").findings.map(({ code, message, at }) => `${code} ${at.line} ${message}`);

describe("a configuration", () => {
  test.each(["", "\n", "# only a comment\n", "review:\nsync:\n", "review:\n  decisions:\n"])(
    "that says nothing (%j) is all defaults",
    (text) => {
      expect(parseConfig(text, "c.yaml")).toEqual({ config: defaults, findings: [] });
    },
  );

  test("that says everything, with a byte order mark and Windows line ends", () => {
    const text = `\uFEFFstore: postgres://skillward:secret@db:5432/registry?sslmode=require
review:
  reviewers: on
  decisions: { untrusted: 2, community: 2, verified: 1, first_party: 2 }
  separate-adder: TRUE
sync:
  files: 5000
  seconds: 600
  bytes: 1 GiB
  skip: [examples, "Test Data"]
  schedule: off
github:
  ghe.example.org:
    api: https://ghe.example.org/api/v3
    raw: https://ghe.example.org/raw/
    codeload: https://ghe.example.org:443/codeload
    web: https://ghe.example.org
usage:
  retention-days: forever
network:
  private:
    "127.0.0.1:18099": "127.0.0.1/32"
    Models.internal:8443: 10.1.0.0/16
serve:
  hosts: [skills.example.org, Skills.internal]
  public-url: https://skills.example.org/
  proxies: [127.0.0.1, "::FFFF:10.1.2.3"]
sign-in:
  password: off
  proxy: { addresses: [10.1.2.3, "::FFFF:10.1.2.4"], header: Remote-User }
  oidc:
    issuer: https://id.example.org/realms/house/
    client-id: skillward
    title: House account
    claim: sub
publish:
  enabled: on
webhook:
  url: https://chat.example.org/hooks/1?channel=skills
gateway:
  body-bytes: 8MiB
  requests-per-minute: 60
  concurrent: 4
  connect-seconds: 2
  headers-seconds: 30
  idle-seconds: 20
  log-prompts: on
route:
  links: [exact, lexical, llm]
  semantic: vectors
  rerank: null
  llm: chooser
degraded:
  max-age: 60
telemetry:
  endpoint: http://127.0.0.1:4318/
`;
    expect(parseConfig(text.replaceAll("\n", "\r\n"), "c.yaml")).toEqual({
      config: {
        store: "postgres://skillward:secret@db:5432/registry?sslmode=require",
        review: {
          reviewers: true,
          decisions: { untrusted: 2, community: 2, verified: 1, first_party: 2 },
          separateAdder: true,
        },
        sync: { files: 5000, seconds: 600, bytes: 2 ** 30, skip: ["examples", "Test Data"], schedule: false },
        github: [
          {
            name: "ghe.example.org",
            api: "https://ghe.example.org/api/v3",
            raw: "https://ghe.example.org/raw",
            codeload: "https://ghe.example.org/codeload",
            web: "https://ghe.example.org",
          },
          githubCom,
        ],
        usage: { retentionDays: null },
        network: {
          private: new Map([
            ["127.0.0.1:18099", { address: "127.0.0.1", prefix: 32 }],
            ["models.internal:8443", { address: "10.1.0.0", prefix: 16 }],
          ]),
        },
        serve: {
          hosts: ["skills.example.org", "skills.internal"],
          publicUrl: "https://skills.example.org",
          proxies: ["127.0.0.1", "10.1.2.3"],
        },
        signIn: {
          password: false,
          proxy: { addresses: ["10.1.2.3", "10.1.2.4"], header: "remote-user" },
          oidc: {
            issuer: "https://id.example.org/realms/house/",
            clientId: "skillward",
            title: "House account",
            claim: "sub",
            publicUrl: "https://skills.example.org",
          },
        },
        webhook: { url: "https://chat.example.org/hooks/1?channel=skills" },
        publish: { enabled: true },
        gateway: {
          bodyBytes: 8 * 1024 * 1024,
          requestsPerMinute: 60,
          concurrent: 4,
          connectSeconds: 2,
          headersSeconds: 30,
          idleSeconds: 20,
          logPrompts: true,
        },
        route: { links: ["exact", "lexical", "llm"], semantic: "vectors", rerank: null, llm: "chooser" },
        degraded: { maxAgeSeconds: 60 },
        telemetry: { endpoint: "http://127.0.0.1:4318" },
      },
      findings: [],
    });
  });

  test.each<[string, Partial<Config>]>([
    ["store: /srv/registry.db", { store: "/srv/registry.db" }],
    ["store: null", { store: null }],
    ["store: postgresql:///registry?host=/run/pg", { store: "postgresql:///registry?host=/run/pg" }],
    ["sync: { bytes: 1 }", { sync: { ...defaults.sync, bytes: 1 } }],
    ["sync: { bytes: 512KiB }", { sync: { ...defaults.sync, bytes: 512 * 1024 } }],
    ["sync: { bytes: '10MiB' }", { sync: { ...defaults.sync, bytes: 10 * 1024 * 1024 } }],
    ["usage: { retention-days: 7 }", { usage: { retentionDays: 7 } }],
    [
      'network: { private: { "127.0.0.1:18099": "127.0.0.1/32" } }',
      { network: { private: new Map([["127.0.0.1:18099", { address: "127.0.0.1", prefix: 32 }]]) } },
    ],
    [
      'network:\n  private:\n    "[fd12::1]:443": "fd12::/16"',
      { network: { private: new Map([["[fd12::1]:443", { address: "fd12::", prefix: 16 }]]) } },
    ],
    ["network: { private: null }", {}],
    ["network: { private: {} }", {}],
    ["serve: { hosts: [] }", {}],
    ["sync: { skip: [] }", { sync: { ...defaults.sync, skip: [] } }],
    ["github: null", {}],
    ["github: {}", {}],
    ["telemetry: { endpoint: https://otel.example.org }", { telemetry: { endpoint: "https://otel.example.org" } }],
  ])("%s", (text, part) => {
    expect(parseConfig(text, "c.yaml")).toEqual({ config: { ...defaults, ...part }, findings: [] });
  });
});

describe("every mistake is named with its key and line", () => {
  test("all at once, in the order of the file", () => {
    const text = `stroe: /srv/registry.db
review:
  reviewer: on
  decisions:
    comunity: 2
    verified: 3
sync:
  files: many
  bytes: 64MB
elephant: 1
`;
    expect(said(text)).toEqual([
      "config.unknown-key 1 stroe: not a known key; did you mean `store`?",
      "config.unknown-key 3 review.reviewer: not a known key; did you mean `review.reviewers`?",
      "config.unknown-key 5 review.decisions.comunity: not a known key; did you mean `review.decisions.community`?",
      "config.wrong-value 6 review.decisions.verified: expected `1` or `2`",
      "config.wrong-value 8 sync.files: expected a whole number from 1 to 1000000",
      "config.wrong-value 9 sync.bytes: expected bytes from 1 to 64GiB, as a number or with KiB, MiB or GiB",
      "config.unknown-key 10 elephant: not a known key; docs/configuration.md lists them",
    ]);
  });

  test.each([
    ["reviewers: on", "config.unknown-key 1 reviewers: not a known key; did you mean `review.reviewers`?"],
    ["reviw:\n  reviewers: on", "config.unknown-key 1 reviw: not a known key; did you mean `review`?"],
    [
      "review.reviewers: on",
      "config.unknown-key 1 review.reviewers: not a known key; write one word on each level, nested",
    ],
    ["review: on", "config.wrong-value 1 review: expected keys below it, each on a line"],
    ["sync: [files]", "config.wrong-value 1 sync: expected keys below it, each on a line"],
    [
      "route: { links: [exact, exact] }",
      "config.wrong-value 1 route.links: expected a list of `exact`, `alias`, `trigger`, `paths`, `lexical`, `semantic`, `rerank`, `llm`, each at most once",
    ],
    ["route: { llm: A b }", "config.wrong-value 1 route.llm: expected the id of a configuration, or `null`"],
    ["__proto__:\n  store: /x", "config.unknown-key 1 __proto__: not a known key; docs/configuration.md lists them"],
  ])("%j", (text, finding) => {
    expect(said(text)).toEqual([finding]);
  });

  test.each([
    ...["yes", "1", "", "[on]", "{ on: on }"].map((value) => ["review.reviewers", value]),
    ...["0", "3", "1.0", "two", ""].map((value) => ["review.decisions.untrusted", value]),
    ...["0", "-1", "1.5", "1e3", "0x10", "2_000", "1000001", "99999999999999999999", ""].map((value) => [
      "sync.files",
      value,
    ]),
    ...["0", "-1", "0KiB", "64MB", "64mib", "1.5GiB", "65GiB", "KiB", "9999999999999999GiB"].map((value) => [
      "sync.bytes",
      value,
    ]),
    ...["fixtures", "null", "[a/b]", "['a\\b']", "[.]", "[..]", "['']", "[' a']", "[[a]]", `[${"x".repeat(256)}]`].map(
      (value) => ["sync.skip", value],
    ),
    ["sync.skip", `[${"a,".repeat(65)}]`],
    ...["yes", "[]"].map((value) => ["sync.schedule", value]),
    ...["ghe", "[]", "on"].map((value) => ["github", value]),
    ...["0", "null", "never", "36501"].map((value) => ["usage.retention-days", value]),
    ...["127.0.0.1/32", "[]", "on"].map((value) => ["network.private", value]),
    ...["x", "[a:80]", "[https://a]", "['a/b']", "['']", "[[a]]", "{ a: b }", "null", "[a.]", "['[::1']"].map(
      (value) => ["serve.hosts", value],
    ),
    ...["0", "2GiB", "no"].map((value) => ["gateway.body-bytes", value]),
    ...["0", "601", "1.5", "forever"].map((value) => ["gateway.connect-seconds", value]),
    ...["otel", "ftp://a", "https://a/v1", "https://u:p@a", "https://a?b", "https://", "https://a b", "[]"].map(
      (value) => ["telemetry.endpoint", value],
    ),
    ...["registry.db", "./a.db", "~/a.db", "/srv/", "sqlite:///a", "file:///a", "true", "[/a]"].map((value) => [
      "store",
      value,
    ]),
  ])("%s: %j is not its value, and the default stays", (path = "", value = "") => {
    const words = path.split(".");
    const lines = words.map((word, at) => `${"  ".repeat(at)}${word}:`).join("\n");
    const { config, findings } = parseConfig(`${lines} ${value}`, "c.yaml");
    expect(config).toEqual(defaults);
    expect(findings).toMatchObject([{ code: "config.wrong-value", level: "high", at: { line: words.length } }]);
    expect(findings[0]?.message).toMatch(new RegExp(`^${path}: expected `));
  });

  test.each([
    ["model", "10.0.0.1/32", "`host:port` as the key"],
    ["model:0", "10.0.0.1/32", "`host:port` as the key"],
    ["model:65536", "10.0.0.1/32", "`host:port` as the key"],
    ["model:080", "10.0.0.1/32", "`host:port` as the key"],
    ["http://model:80", "10.0.0.1/32", "`host:port` as the key"],
    ["u@model:80", "10.0.0.1/32", "`host:port` as the key"],
    ["model.:80", "10.0.0.1/32", "`host:port` as the key"],
    ["2130706433:80", "127.0.0.1/32", "`host:port` as the key"],
    ["127.1:80", "127.0.0.1/32", "`host:port` as the key"],
    ["[::0001]:80", "::1/128", "`host:port` as the key"],
    ["::1:80", "::1/128", "`host:port` as the key"],
    ["mödel:80", "10.0.0.1/32", "`host:port` as the key"],
    ...["10.0.0.1", "10.0.0.1/33", "10.0.0.1/8", "10.0.0.0/08", "rubbish", "", "8.8.8.8/32"].map((range) => [
      "model:80",
      range,
      "a range of private addresses",
    ]),
    ...["0.0.0.0/0", "::/0", "169.254.0.0/16", "169.254.169.254/32", "fe80::/10", "100.64.0.0/10", "fc00::/7"].map(
      (range) => ["model:80", range, "a range of private addresses"],
    ),
    ["127.0.0.1:80", "10.0.0.0/8", "a range that has the address"],
    ["[::1]:80", "fd12::/64", "a range that has the address"],
  ])("IN-4: the pair %s = %j is refused on its line, and it is said what to write", (name, range, expects) => {
    const text = `network:\n  private:\n    "good:80": "10.0.0.1/32"\n    "${name}": "${range}"`;
    const { config, findings } = parseConfig(text, "c.yaml");
    expect(config).toEqual(defaults);
    expect(findings).toMatchObject([{ code: "config.wrong-value", level: "high", at: { line: 4 } }]);
    expect(findings[0]?.message).toContain(`network.private: expected ${expects}`);
    expect(findings[0]?.message).not.toMatch(/…$/);
  });

  test("IN-4: every wrong pair is named, and one place has one range", () => {
    const text = `network:
  private:
    model:80: 10.0.0.1/32
    MODEL:80: 10.0.0.2/32
    other: 10.0.0.1/32
    map:80: { a: b }
`;
    expect(said(text)).toEqual([
      expect.stringMatching(/^config\.wrong-value 4 network\.private: expected each `host:port` once$/),
      expect.stringMatching(/^config\.wrong-value 5 network\.private: expected `host:port` as the key/),
      expect.stringMatching(/^config\.wrong-value 6 network\.private: expected a range of private addresses/),
    ]);
  });

  test("a value is not repeated: it may hold a password", () => {
    const findings = JSON.stringify(parseConfig("store: mysql://u:hunter2@db\nsync:\n  files: hunter2", "c").findings);
    expect(findings).toContain("sync.files");
    expect(findings).not.toContain("hunter2");
  });

  test.each([
    ["store: [", 1],
    ["- store", 1],
    ["store: /a\nstore: /b", 2],
    ["a: &x 1\nb: *x", 1],
    ["store: !!js/function x", 1],
    ["store: /a\n---\nstore: /b", 2],
    ["[".repeat(50), 1],
  ])("%j cannot be read", (text, line) => {
    expect(parseConfig(text, "c.yaml")).toMatchObject({
      config: defaults,
      findings: [{ code: "config.unreadable", at: { file: "c.yaml", line } }],
    });
  });

  test("what the file holds is shown without the unseen, and never so long that the hint is lost", () => {
    expect(said("a: !<\u202e\t> 1")[0]).toContain("\\u{202e}");
    expect(said(`"\u202e": 1`)[0]).toContain("\\u{202e}: not a known key");
    expect(said(`${"x".repeat(900)}: 1`)[0]).toMatch(/lists them$/);
  });

  test("whatever stands in it, reading never throws, and shows nothing unseen", () => {
    const word = fc.oneof(fc.constantFrom("store", "review", "sync", "on", "\u202e", "a.b", "__proto__"), fc.string());
    const line = fc.tuple(fc.constantFrom("", "  "), word, word).map(([space, a, b]) => `${space}${a}: ${b}`);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(line).map((lines) => lines.join("\n")),
        ),
        (text) => {
          for (const { message } of parseConfig(text, "c.yaml").findings)
            expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        },
      ),
    );
  });
});
