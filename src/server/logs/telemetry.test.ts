import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Outgoing, Transport } from "../../core/transport.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { createTracer, noTracer, parseTraceparent } from "./telemetry.ts";

const given = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

/** A collector that keeps what it is sent, and answers when it is let. */
function collector(status = 200) {
  const sent: Outgoing[] = [];
  let answering = Promise.resolve();
  const transport: Transport = {
    async send(request) {
      sent.push(request);
      await answering;
      if (status === 0) throw new Error("away");
      return { status, headers: {}, body: Readable.from([]) };
    },
  };
  const hold = () => {
    let go: () => void = () => {};
    answering = new Promise((resolve) => (go = resolve));
    return () => go();
  };
  // oxlint-disable-next-line typescript/no-explicit-any
  const spans = (): any[] =>
    sent.flatMap(({ body }) => JSON.parse(Buffer.from(body ?? []).toString()).resourceSpans[0].scopeSpans[0].spans);
  return { sent, transport, hold, spans };
}

function traced(transport: Transport) {
  const clock = fixedClock(1_700_000_000_000);
  const ticks: (() => void)[] = [];
  const state = { dropped: 0, stopped: false };
  const tracer = createTracer({
    endpoint: "https://collector.example/otlp/",
    transport,
    clock,
    random: seededRandomness(),
    timer: {
      after: () => Promise.resolve(),
      every: (_milliseconds, act) => {
        ticks.push(act);
        return { stop: () => (state.stopped = true) };
      },
    },
    dropped: (spans) => (state.dropped += spans),
  });
  return { tracer, clock, tick: () => ticks.forEach((act) => act()), state };
}

describe("SV-8: spans", () => {
  test("SV-8: go to the collector in OTLP's JSON, below the client's own span", async () => {
    const { transport, sent, spans } = collector();
    const { tracer, clock, state } = traced(transport);
    const span = tracer.start("POST /api/chat", given);
    span.set("http.response.status_code", 200);
    span.set("skillward.configuration", "mine");
    span.set("share", 0.5);
    span.set("ok", true);
    clock.advance(25);
    span.end("ok");
    span.end("error");
    await tracer.stop();
    expect(sent.map(({ method, url, headers }) => [method, url, headers])).toEqual([
      ["POST", "https://collector.example/otlp/v1/traces", { "content-type": "application/json" }],
    ]);
    expect(spans()).toEqual([
      {
        traceId: "a".repeat(32),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        parentSpanId: "b".repeat(16),
        name: "POST /api/chat",
        kind: 2,
        startTimeUnixNano: "1700000000000000000",
        endTimeUnixNano: "1700000000025000000",
        attributes: [
          { key: "http.response.status_code", value: { intValue: "200" } },
          { key: "skillward.configuration", value: { stringValue: "mine" } },
          { key: "share", value: { doubleValue: 0.5 } },
          { key: "ok", value: { boolValue: true } },
        ],
        status: { code: 1 },
      },
    ]);
    expect(state).toEqual({ dropped: 0, stopped: true });
  });

  test("SV-8: the next one down the line is told of this span, also of one below it", async () => {
    const { transport, spans } = collector();
    const { tracer } = traced(transport);
    const above = tracer.start("above");
    const below = tracer.start("below", above);
    below.end("error");
    above.end("ok");
    await tracer.stop();
    const [inner, outer] = spans();
    expect(above.traceparent).toBe(`00-${outer.traceId}-${outer.spanId}-01`);
    expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId, status: { code: 2 } });
    expect(outer).not.toHaveProperty("parentSpanId");
  });

  test("SV-8: what the client does not keep is handed on and not kept here", async () => {
    const { transport, sent } = collector();
    const { tracer } = traced(transport);
    const span = tracer.start("x", given.replace(/01$/, "00"));
    span.end("ok");
    await tracer.stop();
    expect(span.traceparent).toMatch(new RegExp(`^00-${"a".repeat(32)}-[0-9a-f]{16}-00$`));
    expect(sent).toEqual([]);
  });

  test("SV-8: without an endpoint a client's trace is handed on as it came", () => {
    expect(noTracer.start("x", given).traceparent).toBe(given);
    expect(noTracer.start("x").traceparent).toBeNull();
    expect(noTracer.start("x", "rubbish").traceparent).toBeNull();
  });

  test("T41: while the collector hangs spans wait up to a bound, the rest is counted, and nobody waits for it", async () => {
    const { transport, sent, hold, spans } = collector();
    const { tracer, state } = traced(transport);
    const go = hold();
    for (let each = 0; each < 5000; each++) tracer.start("x").end("ok");
    // One batch is on its way; one request at a time.
    expect([sent.length, state.dropped]).toEqual([1, 5000 - 512 - 2048]);
    go();
    await tracer.stop();
    expect(spans().length).toBe(512 + 2048);
  });

  test.each([0, 500, 307])(
    "SV-8: a collector that is away or refuses (%i) costs the batch, which is counted",
    async (status) => {
      const { transport, sent } = collector(status);
      const { tracer, state, tick } = traced(transport);
      tracer.start("x").end("ok");
      tick();
      await tracer.stop();
      expect([sent.length, state.dropped]).toEqual([1, 1]);
    },
  );
});

test.each([
  undefined,
  "",
  [given],
  given.toUpperCase(),
  `01${given.slice(2)}`,
  `${given}-x`,
  given.replace(/a/g, "0"),
  given.replace(/b/g, "0"),
])("SV-8: %s is no traceparent", (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});
