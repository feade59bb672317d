import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loopbackTransport } from "../../../test/support/model-loopback.ts";
import type { Transport } from "../../core/transport.ts";
import { startUpstream, type Upstream } from "../../testing/testing.ts";
import { createReranker } from "./rerank.ts";

const secret = "sk-this-is-the-secret-0123456789";
let upstream: Upstream;
beforeEach(async () => {
  upstream = await startUpstream({ secret });
});
afterEach(() => upstream.close());

const reranker = (more: { secret?: string | null; transport?: Transport } = {}) =>
  createReranker({
    provider: { protocol: "openai", origin: upstream.url },
    model: "rank-1",
    secret,
    transport: loopbackTransport(),
    ...more,
  });

const result = (index: unknown, score: unknown) => ({ index, relevance_score: score });
const answer = (...results: unknown[]) => ({ body: JSON.stringify({ results }) });
const outcome = (asking: Promise<readonly number[]>) => asking.catch((error: { code: string }) => error.code);

describe("RT-2: a reranker over HTTP", () => {
  test("RT-2: is asked once, in the common form, and gives each document its score", async () => {
    upstream.next(answer(result(2, 1), { ...result(0, 0.25), document: { text: "a" } }, result(1, 0)));
    expect(await reranker().rank("which one?", ["a", "b", "c"])).toEqual([0.25, 0, 1]);
    const [{ method, path, text } = { method: "", path: "", text: "" }, ...more] = upstream.requests;
    expect([method, path, more]).toEqual(["POST", "/v1/rerank", []]);
    expect(JSON.parse(text)).toEqual({ model: "rank-1", query: "which one?", documents: ["a", "b", "c"], top_n: 3 });
    expect(upstream.requests[0]?.header("authorization")).toBe(`Bearer ${secret}`);
  });

  test("RT-2: nothing is asked for no documents", async () => {
    expect(await reranker().rank("which one?", [])).toEqual([]);
    expect(upstream.requests).toEqual([]);
  });

  test.each([
    ["no JSON", { body: "<html>" }],
    ["a list", { body: "[]" }],
    ["null", { body: "null" }],
    ["no results", { body: "{}" }],
    ["one too few", answer(result(0, 1))],
    ["one too many", answer(result(0, 1), result(1, 1), result(2, 1))],
    ["an index twice", answer(result(0, 1), result(0, 1))],
    ["an unknown index", answer(result(0, 1), result(2, 1))],
    ["a negative index", answer(result(0, 1), result(-1, 1))],
    ["half an index", answer(result(0, 1), result(0.5, 1))],
    ["a text for an index", answer(result(0, 1), result("1", 1))],
    ["a score above 1", answer(result(0, 1), result(1, 1.01))],
    ["a score below 0", answer(result(0, 1), result(1, -3.2))],
    ["a score that is none", answer(result(0, 1), result(1, null))],
    ["a score that is a text", answer(result(0, 1), result(1, "0.5"))],
    ["a result that is none", answer(result(0, 1), null)],
    ["more than a list of scores needs", { body: `{"results":[],"x":"${"x".repeat(2 ** 20)}"}` }],
    ["a failure", { status: 500 }],
    ["a cut connection", { resetAfter: 1 }],
  ])("RT-4: %s is refused, and it is not asked again", async (_, script) => {
    upstream.next(script);
    expect(await outcome(reranker().rank("q", ["a", "b"]))).toMatch(/^upstream\.(invalid|unreachable)$/);
    expect(upstream.requests).toHaveLength(1);
  });

  test("RT-4: an answer that never ends is not read to its end", async () => {
    upstream.next({ body: `{"x":"${"x".repeat(10 * 2 ** 20)}"}` });
    expect(await outcome(reranker().rank("q", ["a"]))).toBe("upstream.invalid");
    await upstream.gone(1);
  });

  test("CO-16: a secret that is not accepted is said so, and is in no message", async () => {
    upstream.next({ status: 400, echoSecret: true });
    const failed = await reranker()
      .rank("q", ["a"])
      .catch((error: Error) => error);
    expect(String(failed)).not.toContain(secret);
    expect(await outcome(reranker({ secret: "sk-another-secret" }).rank("q", ["a"]))).toBe("upstream.refused");
  });

  test("RT-4: whoever leaves ends the request, with the signal's reason", async () => {
    upstream.next({ hang: "before-headers" });
    const leaving = new AbortController();
    const asking = reranker().rank("q", ["a"], leaving.signal);
    await upstream.received(1);
    leaving.abort(new Error("left"));
    await expect(asking).rejects.toThrow("left");
    await upstream.gone(1);
    await expect(reranker().rank("q", ["a"], leaving.signal)).rejects.toThrow("left");
    expect(upstream.requests).toHaveLength(1);
  });

  test.each(["anthropic", "google", "echo", "scripted"] as const)("RT-2: %s has none", (protocol) => {
    const access = { provider: { protocol, origin: "" }, model: "m", secret: null, transport: loopbackTransport() };
    expect(() => createReranker(access)).toThrow("has no reranking");
  });
});
