import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Upstream, UpstreamScript } from "./script.ts";
import { startUpstream } from "./upstream.ts";

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
});

afterAll(() => upstream.close());

async function ask(path: string, stream: boolean): Promise<string> {
  const headers = { "content-type": "application/json", "anthropic-version": "2026-10-21" };
  const body = JSON.stringify({ model: "large", messages: [], input: "", stream });
  const sent = path === "/v1/messages" ? headers : { "content-type": headers["content-type"] };
  return (await fetch(upstream.url + path, { method: "POST", headers: sent, body })).text();
}

function eventsOf(sse: string): unknown[] {
  const lines = sse.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line): unknown => JSON.parse(line.slice("data: ".length)));
}

/** Every value of that key anywhere in it, in order. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? [inner] : valuesOf(inner, key)));
}

const script = fc.record({
  text: fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
  toolCall: fc.record({ name: fc.constant("look"), input: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) }),
});

type Joined = (events: unknown[]) => { text: string; input: string };

/** How a reader of each protocol joins the deltas. */
const PROTOCOLS: [path: string, joined: Joined][] = [
  [
    "/v1/chat/completions",
    (events) => ({ text: valuesOf(events, "content").join(""), input: valuesOf(events, "arguments").join("") }),
  ],
  [
    "/v1/messages",
    (events) => ({
      text: valuesOf(events, "delta")
        .flatMap((delta) => valuesOf(delta, "text"))
        .join(""),
      input: valuesOf(events, "partial_json").join(""),
    }),
  ],
  [
    "/v1/responses",
    (events) => ({
      text: deltasOf(events, "response.output_text.delta"),
      input: deltasOf(events, "response.function_call_arguments.delta"),
    }),
  ],
];

function deltasOf(events: unknown[], type: string): string {
  return events
    .filter((event) => valuesOf(event, "type")[0] === type)
    .flatMap((event) => valuesOf(event, "delta"))
    .join("");
}

describe.each(PROTOCOLS)("%s", (path, joined) => {
  it("CO-17: whatever is said, the deltas of the stream are exactly that", async () => {
    await fc.assert(
      fc.asyncProperty(script, async (said: UpstreamScript) => {
        upstream.next(said);
        const { text, input } = joined(eventsOf(await ask(path, true)));
        expect([text, input]).toEqual([said.text, JSON.stringify(said.toolCall?.input)]);
      }),
      { numRuns: 30 },
    );
  });
});
