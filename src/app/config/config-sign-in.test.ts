import { expect, test } from "vitest";
import { parseConfig } from "./config-file.ts";

const said = (text: string) => parseConfig(text, "c.yaml").findings.map(({ message, at }) => `${at.line} ${message}`);
const signInOf = (text: string) => parseConfig(text, "c.yaml").config.signIn;

const issuer = "https://id.example.org";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ['"::1"', "::1"],
  ['"0:0:0:0:0:0:0:1"', "::1"],
  ['"::ffff:127.0.0.1"', "127.0.0.1"],
  ['"::FFFF:7f00:1"', "127.0.0.1"],
  ['"FD00::00A"', "fd00::a"],
])("SV-11: a proxy at %s is known as %s", (written, known) => {
  const text = `sign-in: { proxy: { addresses: [${written}] } }`;
  expect([signInOf(text).proxy.addresses, said(text)]).toEqual([[known], []]);
});

test.each([
  "10.0.0.0/8",
  "proxy.internal",
  "127.1",
  "0x7f.0.0.1",
  "2130706433",
  '"fe80::1%eth0"',
  '"*"',
  '""',
  "[]",
  "null",
])("SV-11: %s is no address of a proxy, so the file is refused and none is believed", (written) => {
  const text = `sign-in: { proxy: { addresses: [10.1.2.3, ${written}] } }`;
  expect(said(text)).toEqual([
    "1 sign-in.proxy.addresses: expected a list of at most 64 IP addresses, each of one machine",
  ]);
  expect(signInOf(text).proxy.addresses).toEqual([]);
});

test.each(["x user", '"x-user:"', '"-x"', "ü", '""', "{}"])("SV-11: %s is no name of a header", (written) => {
  expect(said(`sign-in: { proxy: { header: ${written} } }`)).toHaveLength(1);
});

test.each([
  ["client-id and public-url", "", "", "sign-in.oidc.client-id and serve.public-url beside it"],
  ["client-id", "", `serve: { public-url: ${issuer} }`, "sign-in.oidc.client-id beside it"],
  ["public-url", ", client-id: a", "", "serve.public-url beside it"],
])("SV-11: a service without %s is refused at its line", (_what, more, serve, expected) => {
  const text = `${serve}\nsign-in: { oidc: { issuer: ${issuer}${more} } }`;
  expect(said(text)).toEqual([`2 sign-in.oidc.issuer: expected ${expected}`]);
  expect(signInOf(text).oidc).toBeNull();
});

test("SV-11: where browsers reach the server can be said without a service", () => {
  const text = `serve: { public-url: ${issuer} }`;
  const { config, findings } = parseConfig(text, "c.yaml");
  expect([findings, config.serve.publicUrl, config.signIn.oidc]).toEqual([[], issuer, null]);
});

test.each([
  "https://id.example.org?a=b",
  "https://id.example.org/#a",
  "https://user@id.example.org",
  "https:id.example.org",
  '"https://id.example.org\\\\@evil.example"',
  "ftp://id.example.org",
  "id.example.org",
  '"https://id.example.org/ a"',
  "https://id.exämple.org",
])("SV-11: %s is no issuer", (written) => {
  const serve = `serve: { public-url: ${issuer} }`;
  expect(said(`${serve}\nsign-in: { oidc: { issuer: ${written}, client-id: a } }`)).toHaveLength(1);
});

test.each([
  "https://user:word@hooks.example.org",
  "https://hooks.example.org/#a",
  "hooks.example.org",
  "file:///etc/passwd",
])("SV-11: %s is no webhook, and is not repeated", (written) => {
  expect(said(`webhook: { url: "${written}" }`)).toEqual(["1 webhook.url: expected `https://host/path`, or `null`"]);
});

test.each(["https://hooks.example.org", "https://hooks.example.org?token=1", "http://127.0.0.1:8080/a?b=c&d"])(
  "SV-11: %s is a webhook, kept as it stands",
  (written) => {
    const { config, findings } = parseConfig(`webhook: { url: "${written}" }`, "c.yaml");
    expect([config.webhook.url, findings]).toEqual([written, []]);
  },
);
