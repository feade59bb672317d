import { expect, test } from "vitest";
import { outsideName, proxyUserOf } from "./proxy-user.ts";

const settings = { addresses: ["10.1.2.3", "fd00::a"], header: "x-forwarded-user" };
const ada = { "x-forwarded-user": ["ada"] };

test.each(["10.1.2.3", "::ffff:10.1.2.3", "::FFFF:0a01:0203", "fd00::a", "FD00:0:0:0:0:0:0:a"])(
  "SV-11: a proxy that calls from %s is believed",
  (address) => {
    expect(proxyUserOf(settings, address, ada)).toBe("ada");
  },
);

test.each([
  "10.1.2.4",
  "10.1.2.30",
  "127.0.0.1",
  "::1",
  "::ffff:10.1.2.4",
  "::10.1.2.3",
  "64:ff9b::10.1.2.3",
  "2002:a01:203::",
  "fd00::b",
  "fd00::a%eth0",
  "10.1.515",
  "167838211",
  "",
  undefined,
])("SV-11: what is said from %s counts for nothing", (address) => {
  expect(proxyUserOf(settings, address, ada)).toBeUndefined();
});

test("SV-11: nobody is believed until an address is configured, not even this machine", () => {
  const off = { addresses: [], header: "x-forwarded-user" };
  for (const address of ["127.0.0.1", "::1", "", undefined]) expect(proxyUserOf(off, address, ada)).toBeUndefined();
});

test.each([
  ["twice", ["ada", "ada"]],
  ["twice, of two people", ["ada", "ben"]],
  ["as a list", ["ada, ben"]],
  ["empty", [""]],
  ["not at all", []],
  ["as no name", ["key:ada"]],
  ["as the machine", ["machine:root"]],
  ["with a space", [" ada"]],
  ["as an address of mail", ["ada@example.org"]],
  ["beyond 64 letters", ["a".repeat(65)]],
])("SV-11: the header %s means nobody", (_how, values) => {
  expect(proxyUserOf(settings, "10.1.2.3", { "x-forwarded-user": values })).toBeUndefined();
});

test("SV-11: only the configured header counts", () => {
  expect(proxyUserOf({ ...settings, header: "remote-user" }, "10.1.2.3", ada)).toBeUndefined();
  expect(proxyUserOf(settings, "10.1.2.3", {})).toBeUndefined();
});

test.each([
  ["ada", "ada"],
  ["Ada.Lovelace", "ada.lovelace"],
  ["\u212aim", undefined],
  ["\u0130da", undefined],
  ["ad\u0000a", undefined],
  ["ad\u200ba", undefined],
  ["ada\n", undefined],
  ["_ada", undefined],
])("SV-11: the name %j from elsewhere means %s", (text, account) => {
  expect(outsideName(text)).toBe(account);
});
