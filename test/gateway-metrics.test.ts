import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { openaiAt, post } from "./gateway-clients.ts";
import { gatewayHome } from "./gateway-home.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

describe("SV-8: what is measured", () => {
  test("SV-8: skills are counted through every door, with why one was kept out", async () => {
    const home = await gatewayHome({
      skills: { writing: "Write.\n", endless: "Go on. ".repeat(200) },
      configuration: { budget: 1000 },
    });
    await openaiAt(home).chat.completions.create({ model: "house", messages });
    await post(home, "/api/complete", JSON.stringify({ configuration: "echo", prompt: "Hello" }));
    const answer = await fetch(`${home.url}/metrics`, { headers: { authorization: `Bearer ${home.key}` } });
    const lines = (await answer.text()).split("\n");
    expect(lines).toContain("skillward_skills_injected_total 2");
    expect(lines).toContain('skillward_skills_dropped_total{why="too-large"} 2');
    expect(lines).toContain('skillward_gateway_requests_total{operation="chat",outcome="ended"} 1');
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
