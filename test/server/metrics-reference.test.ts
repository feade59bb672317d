import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configKeys } from "../../src/app/config/config-keys.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";

const page = readFileSync("docs/observability.md", "utf8");

/** A metric as the page has it, or as a server says it. */
interface Metric {
  readonly kind: string;
  readonly labels: readonly string[];
}

/** `| name | kind | labels | what |`. */
function documented(): Map<string, Metric> {
  const rows = page.matchAll(/^\| `(skillward_\w+)` \| (\w+) \| ?([^|]*) \| [^|]+ \|$/gm);
  return new Map([...rows].map(([, name = "", kind = "", labels = ""]) => [name, { kind, labels: wordsIn(labels) }]));
}

const wordsIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);

let room: ApiRoom;
let scraped = "";

/** Every door there is, and something that happened at most of them. */
beforeAll(async () => {
  const oidc = "{ issuer: https://id.example.org, client-id: skillward }";
  const serve = "{ public-url: https://skills.example.org }";
  room = await openApiRoom({ config: `serve: ${serve}\nsign-in:\n  oidc: ${oidc}\npublish:\n  enabled: on\n` });
  await room.call("POST", "/api/providers", { json: { id: "echo", protocol: "echo", models: ["*"] } });
  await room.call("POST", "/api/configurations", { json: { id: "house", provider: "echo", model: "m" } });
  await room.call("POST", "/api/session", { key: null, json: { name: "nobody", password: "a wrong password" } });
  await room.call("GET", "/api/sources", { key: null });
  const headers = { authorization: `Bearer ${room.keyOf("admin")}`, "content-type": "application/json" };
  const send = (path: string, body: unknown) =>
    fetch(`${room.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await send("/v1/chat/completions", { model: "house", messages: [{ role: "user", content: "Hello" }] });
  await send("/mcp", { jsonrpc: "2.0", id: 1, method: "made/up" });
  await fetch(`${room.url}/auth/oidc/back`, { redirect: "manual" });
  scraped = await (await fetch(`${room.url}/metrics`, { headers })).text();
});
afterAll(() => room.close());

describe("SV-8: what happened at each door", () => {
  test("SV-8: is counted, by words of ours alone", () => {
    const lines = scraped.split("\n");
    expect(lines).toContain('skillward_sign_ins_total{way="password",result="refused"} 1');
    expect(lines).toContain('skillward_oidc_sign_ins_total{result="cookie.missing"} 1');
    expect(lines).toContain("skillward_auth_failures_total 1");
    expect(lines).toContain('skillward_mcp_requests_total{asked="other"} 1');
    expect(lines).toContain('skillward_gateway_requests_total{operation="chat",outcome="ended"} 1');
    for (const word of ["nobody", "made/up", "Hello", "house"]) expect(scraped).not.toContain(word);
  });
});

describe("SV-8: docs/observability.md", () => {
  test("SV-8: has every metric of a server that runs, and no other, by its kind", () => {
    const said = [...scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
    const written = [...documented()].map(([name, { kind }]) => `${name} ${kind}`);
    expect(written.toSorted()).toEqual(said.toSorted());
  });

  test("SV-8: has the labels of every series, and no other", () => {
    const known = documented();
    const series = [...scraped.matchAll(/^(skillward_\w+?)(?:_bucket|_sum|_count)?\{(.*)\} \S+$/gm)];
    expect(series.length).toBeGreaterThan(10);
    for (const [line, name = "", labels = ""] of series) {
      const said = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label).filter((label) => label !== "le");
      expect([line, said]).toEqual([line, known.get(name)?.labels]);
    }
  });

  test("SV-8: what it names elsewhere is there: metrics in its rules, keys of the configuration", () => {
    const names = [...page.matchAll(/skillward_[a-z_]+[a-z]/g)].map(([name]) =>
      name.replace(/_(?:bucket|sum|count)$/, ""),
    );
    expect(names.filter((name) => !documented().has(name))).toEqual([]);
    const paths = new Set<string>(configKeys.map(({ path }) => path));
    const keys = [...page.matchAll(/`?((?:degraded|gateway|telemetry|serve)\.(?!md)[a-z]+(?:-[a-z]+)*)/g)].map(
      ([, key]) => key,
    );
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !paths.has(key ?? ""))).toEqual([]);
  });

  test("SV-8: has every message that a server writes about itself", () => {
    const sources = readdirSync("src", { recursive: true }).map(String);
    const texts = sources
      .filter((path) => /(?<!\.test)\.ts$/.test(path))
      .map((path) => readFileSync(`src/${path}`, "utf8"));
    const messages = new Set(
      [...texts.join("").matchAll(/\blog\.(?:note|warn)\(\s*"([^"]+)"/g)].map(([, message = ""]) => message),
    );
    expect(messages.size).toBeGreaterThan(7);
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    const missing = [...messages].filter(
      (message) => !rows.some((row) => row.split(" | ")[0]?.includes(`\`${message}\``)),
    );
    expect(missing).toEqual([]);
  });

  test("SV-8: its examples can be read, and alarms are about what is measured", () => {
    const [scrape, rules] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => parse(text));
    expect(scrape.scrape_configs[0].job_name).toBe("skillward");
    const expressions: string[] = rules.groups[0].rules.map(({ expr }: { expr: string }) => expr);
    for (const expression of expressions) expect(expression).toMatch(/skillward_/);
  });

  test("SV-8: its line of the log has the fields of a true one", () => {
    const [shown = "{}"] = /^\{"level".*$/m.exec(page) ?? [];
    const lines = room
      .logged()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object);
    const real = lines.find((line) => "route" in line && line.route === "POST /v1/chat/completions") ?? {};
    expect(Object.keys(JSON.parse(shown) as object)).toEqual(Object.keys(real));
    for (const field of Object.keys(real))
      if (!["level", "time", "msg"].includes(field)) expect(page).toMatch(new RegExp(`^\\| [^|]*\`${field}\``, "m"));
    expect(JSON.stringify(real)).not.toContain("Hello");
  });
});
