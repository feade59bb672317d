import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { openaiAt, post } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome } from "../support/gateway-home.ts";
import { routingHome } from "./gateway-routing.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

describe("SV-8: what is measured", () => {
  test("SV-8: skills are counted through every door, with why one was kept out", async () => {
    const home = await gatewayHome({
      skills: { writing: "Write.\n", endless: "Go on. ".repeat(200) },
      configuration: { budget: 1000 },
    });
    await openaiAt(home).chat.completions.create({ model: "house", messages });
    await post(home, "/api/complete", JSON.stringify({ configuration: "echo", prompt: "Hello" }));
    const lines = await measured(home);
    expect(lines).toContain("skillward_skills_injected_total 2");
    expect(lines).toContain('skillward_skills_dropped_total{why="too-large"} 2');
    expect(lines).toContain('skillward_gateway_requests_total{operation="chat",outcome="ended"} 1');
  });

  test("SV-8: what came of routing is counted: a skill, none, a fault; and nothing of whoever has left", async () => {
    const choose = ({ query }: { query: string }) => {
      if (query === "break") throw new Error("the router is broken");
      return query.includes("sailing") ? ["skills:sailing"] : [];
    };
    const home = await routingHome({ choose });
    for (const content of ["sailing", "sailing again", "nothing", "break"])
      await openaiAt(home).chat.completions.create({ model: "house", messages: [{ role: "user", content }] });
    await post(home, "/api/route", JSON.stringify({ query: "/sailing" }));
    await post(home, "/api/route", JSON.stringify({ query: "/sailing", configuration: "nobody" }));
    const lines = await measured(home);
    expect(lines.filter((line) => line.startsWith("skillward_routes_total{"))).toEqual([
      'skillward_routes_total{outcome="abstained"} 1',
      'skillward_routes_total{outcome="answered"} 3',
      'skillward_routes_total{outcome="failed"} 1',
    ]);
  });

  test("SV-8: a call that a scope denied is counted, without the name of the tool", async () => {
    const home = await routingHome();
    const { serving } = home;
    const place = { at: 1, digest: "d", configuration: null, task: null, conversation: null };
    await serving.noteUse({ ...place, event: "denied", entry: "skills:writing", tool: "made up by a model" });
    await serving.noteUse({ ...place, event: "denied", entry: "skills:nobody", tool: null });
    await serving.noteUse({ ...place, event: "routed", entry: "skills:writing", tool: null });
    const lines = await measured(home);
    expect(lines).toContain("skillward_tool_calls_denied_total 1");
    expect(lines.join("\n")).not.toContain("made up");
  });

  test("SV-8: syncs are counted by how they ended, and how long they took", async () => {
    const home = await gatewayHome();
    const sync = (id: string) => post(home, `/api/sources/${id}/sync`, "{}");
    expect((await sync("skills")).status).toBe(200);
    rmSync(home.folder.skills, { recursive: true });
    expect((await sync("skills")).ok).toBe(false);
    const lines = await measured(home);
    expect(lines).toContain('skillward_syncs_total{status="ok"} 1');
    expect(lines).toContain('skillward_syncs_total{status="failed"} 1');
    expect(lines).toContain("skillward_sync_seconds_count 2");
  });

  test("SV-8: a request is one span of the client's trace, and the trace goes on to the model service", async () => {
    const collector = await startCollector();
    const config = `    "${collector.host}": "127.0.0.1/32"\ntelemetry:\n  endpoint: "http://${collector.host}"\n`;
    const home = await gatewayHome({ config });
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    await openaiAt(home, "", { headers }).chat.completions.create({ model: "house", messages });
    await home.stop();
    const [span] = collector.spans();
    expect(span).toMatchObject({ traceId: trace, parentSpanId: "b7ad6b7169203331", name: "POST /v1/chat/completions" });
    expect(home.upstream.requests[0]?.header("traceparent")).toBe(`00-${trace}-${span?.spanId}-01`);
    expect(JSON.stringify(collector.spans())).not.toContain("Hello");
  });
});

async function measured({ url, key }: GatewayHome): Promise<string[]> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.text()).split("\n");
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
}

/** Takes OTLP/HTTP in JSON, as a collector does. */
async function startCollector() {
  const spans: Span[] = [];
  const take = (sent: unknown) => {
    const { resourceSpans } = sent as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  };
  const server = createServer((request, response) => {
    void json(request)
      .then(take)
      .then(() => response.end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, spans: () => spans };
}
