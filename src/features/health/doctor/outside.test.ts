import { expect, test } from "vitest";
import { parseConfig } from "../../../app/config/config-file.ts";
import { checkOutside } from "./outside.ts";

const looked = (text: string, secret: string | null = null) =>
  checkOutside(parseConfig(text, "c.yaml").config, secret).map(({ state, name, says }) => `${state} ${name}: ${says}`);

const oidc = (publicUrl: string, hosts = "") =>
  `serve: { public-url: "${publicUrl}", hosts: [${hosts}] }\nsign-in: { oidc: { issuer: https://id.example.org, client-id: a } }`;

test("SV-10: where nothing is set up with others, there is nothing to look at", () => {
  expect(looked("")).toEqual([]);
});

test("SV-11: a webhook without a secret tells nobody anything, and its address is not shown", () => {
  const text = "webhook: { url: https://hooks.example.org/a?token=hunter2 }";
  expect(looked(text)).toEqual([
    "warn webhook: webhook.url is set, and SKILLWARD_WEBHOOK_SECRET is not: nobody is told anything",
  ]);
  expect(looked(text, "secret")).toEqual(["ok webhook: webhook.url is told what needs review"]);
  expect(looked(text, "secret").join()).not.toContain("hunter2");
});

test.each([
  ["http://127.0.0.1:8080", ""],
  ["http://localhost:8080", ""],
  ["http://[::1]:8080", ""],
  ["https://skills.example.org", "skills.example.org"],
])("SV-11: people who come back to %s are let in", (publicUrl, hosts) => {
  expect(looked(oidc(publicUrl, hosts))).toEqual([`ok sign-in: people come back to ${publicUrl}`]);
});

test("T36: people who come back under a name that is not the server's own would be refused", () => {
  expect(looked(oidc("https://skills.example.org", "example.org"))).toEqual([
    "warn sign-in: people come back to https://skills.example.org, and skills.example.org is not in serve.hosts",
  ]);
});
