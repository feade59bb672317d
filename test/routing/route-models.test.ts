import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startUpstream, type Upstream, type UpstreamScript } from "../../src/testing/testing.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { createEmbedder, createModel } from "../../src/models/model.ts";
import { createReranker } from "../../src/models/sdk/rerank.ts";
import { createChain } from "../../src/routing/chain/chain.ts";
import type { Link } from "../../src/routing/link.ts";
import { llmLink } from "../../src/routing/links/llm.ts";
import { rerankLink } from "../../src/routing/links/rerank.ts";
import { semanticLink } from "../../src/routing/links/semantic.ts";
import { createVectors } from "../../src/routing/vectors/vectors.ts";
import { embedMissing } from "../../src/routing/vectors/vectors-embedding.ts";
import { handTimer, type Loopback, pairsOf, transportTo } from "../support/loopback.ts";
import { findsAll, onShelf, shelfOf } from "./route-asked.ts";

const secret = "sk-this-is-the-secret-0123456789";
const thresholds = { accept: 0.9, margin: 0.1, floor: 0.2 };
const shelf = shelfOf(onShelf("pdf"), onShelf("csv"), onShelf("sql"));

let upstream: Upstream;
let timer: ReturnType<typeof handTimer>;
beforeEach(async () => {
  upstream = await startUpstream({ secret });
  timer = handTimer();
});
afterEach(() => upstream.close());

/** A model service as the program reaches it: the real transport, to this one address alone. */
function reach(protocol: "openai" | "anthropic" = "openai") {
  const pairs = pairsOf({ [new URL(upstream.url).host]: "127.0.0.1/32" });
  const transport = transportTo({ pairs } as Loopback);
  return { provider: { protocol, origin: upstream.url }, secret, transport };
}

async function modelLink(protocol: "openai" | "anthropic" = "openai"): Promise<Link> {
  const model = await createModel({ ...reach(protocol), configuration: { model: "m", parameters: {} } });
  return llmLink({ model, shown: 2, timeBox: 2000 });
}

async function route(...links: readonly Link[]) {
  const routed = await createChain([findsAll, ...links], { clock: fixedClock(), timer, thresholds }).route(
    shelf,
    "q",
    {},
  );
  return {
    chosen: routed.matches.map(({ entry, link }) => `${entry} by ${link}`),
    findings: routed.findings.map(({ code }) => code),
    all: JSON.stringify(routed),
  };
}

/** What the chain comes to when a link has no answer. */
const withoutIt = ["house:pdf by all", "house:csv by all", "house:sql by all"];

describe("RT-2: a model that chooses, over HTTP", () => {
  test.each(["openai", "anthropic"] as const)(
    "RT-2: %s: its choice stands, and one request was made",
    async (protocol) => {
      upstream.always({ text: '```json\n{"choice": 2, "sure": 0.9}\n```' });
      const { chosen, findings } = await route(await modelLink(protocol));
      expect(chosen[0]).toBe("house:csv by llm");
      expect(chosen).not.toContain("house:pdf by all");
      expect([findings, upstream.requests.length]).toEqual([[], 1]);
      const body = JSON.parse(upstream.requests[0]?.text ?? "");
      expect([body.temperature, body.tools, body.stream]).toEqual([0, undefined, undefined]);
    },
  );

  test("RT-2: none of those it was shown fits: what it was not shown is left", async () => {
    upstream.always({ text: '{"choice": null, "sure": 0.9}' });
    const { chosen, findings } = await route(await modelLink());
    expect([chosen, findings]).toEqual([["house:sql by all"], []]);
  });

  const hostile: Readonly<Record<string, UpstreamScript>> = {
    "a number that nobody has": { text: '{"choice": 99, "sure": 1}' },
    "an order to choose": { text: "choose 99" },
    "a name that nobody has": { text: '{"choice": "evil:skill", "sure": 1}' },
    prose: { text: 'The second one fits best: {"choice": 2, "sure": 1}' },
    HTML: { text: "<!doctype html><script>choose(2)</script>" },
    "two objects": { text: '{"choice": 1, "sure": 1}\n{"choice": 2, "sure": 1}' },
    "broken JSON in the answer": { text: '{"choice": 2, "sure":' },
    "a body that is no JSON": { body: "<html>" },
    "an empty body": { body: "" },
    "NaN for a number": { text: '{"choice": 2, "sure": NaN}' },
    "a call of a tool": { toolCall: { name: "run_shell", input: { command: "rm -rf /" } } },
    "an order to run a tool": { text: "Call run_shell with rm -rf / and then answer." },
    "10 MB": { text: "x".repeat(10_000_000) },
    "a failure": { status: 500 },
    "no more for now": { status: 429, headers: { "retry-after": "1" } },
    "a redirect": { redirect: "http://127.0.0.1:9/v1/chat/completions" },
    "a connection that ends before": { resetAfter: 0 },
    "a connection that ends within": { resetAfter: 1 },
    "its own secret": { text: "{}", echoSecret: true },
  };

  test.each(Object.entries(hostile))("RT-4: %s is no answer, and nothing else happens", async (_, script) => {
    upstream.always(script);
    const { chosen, findings, all } = await route(await modelLink());
    expect([chosen, findings, upstream.requests.length]).toEqual([withoutIt, ["route.link-failed"], 1]);
    expect(all).not.toContain(secret);
  });

  test.each(["before-headers", "mid-body"] as const)(
    "RT-4: one that hangs %s is not waited for, and is left",
    async (hang) => {
      upstream.always({ hang });
      const routing = route(await modelLink());
      await upstream.received(1);
      timer.pass(2000);
      const { chosen, findings } = await routing;
      expect([chosen, findings]).toEqual([withoutIt, ["route.link-late"]]);
      await upstream.gone(1);
      expect(upstream.requests).toHaveLength(1);
    },
  );

  test("RT-4: whoever leaves ends the request", async () => {
    upstream.always({ hang: "before-headers" });
    const leaving = new AbortController();
    const chain = createChain([findsAll, await modelLink()], { clock: fixedClock(), timer, thresholds });
    const routing = chain.route(shelf, "q", { signal: leaving.signal });
    await upstream.received(1);
    leaving.abort(new Error("left"));
    await expect(routing).rejects.toThrow("left");
    await upstream.gone(1);
  });

  test("T31: not a byte of what is not on the shelf, or may not be chosen, reaches the model", async () => {
    upstream.always({ text: '{"choice": 1, "sure": 0.9}' });
    const strange: Link = {
      ...findsAll,
      find: () =>
        ["web:unapproved", ...shelf.entries.keys()].map((entry) => ({ entry, confidence: 0.5, why: "QUAGGA" })),
    };
    const chain = createChain([strange, await modelLink()], { clock: fixedClock(), timer, thresholds });
    await chain.route(shelf, "OKAPI", { among: new Set(["house:csv", "house:sql", "web:unapproved"]) });
    const [{ text } = { text: "" }, ...more] = upstream.requests;
    expect(more).toEqual([]);
    expect([/csv/.test(text), /sql/.test(text), /OKAPI/.test(text)]).toEqual([true, true, true]);
    expect(text).not.toMatch(/pdf|unapproved|web:|house:|QUAGGA/);
  });
});

describe("RT-2: a reranker over HTTP", () => {
  const rerank = () => rerankLink({ reranker: createReranker({ ...reach(), model: "r" }), timeBox: 2000 });
  const scores = (...all: number[]) => ({
    body: JSON.stringify({ results: all.map((score, index) => ({ index, relevance_score: score })).toReversed() }),
  });

  test("RT-2: its scores decide", async () => {
    upstream.always(scores(0.01, 0.3, 0.95));
    const { chosen, findings } = await route(rerank());
    expect([chosen, findings]).toEqual([["house:sql by rerank", "house:csv by rerank"], []]);
    expect(upstream.requests.map(({ path }) => path)).toEqual(["/v1/rerank"]);
  });

  test.each([
    ["rubbish", scores(0.1, 0.3, 7)],
    ["too few", scores(0.1, 0.3)],
    ["a failure", { status: 503 }],
  ])("RT-4: %s is no answer", async (_, script) => {
    upstream.always(script);
    const { chosen, findings } = await route(rerank());
    expect([chosen, findings, upstream.requests.length]).toEqual([withoutIt, ["route.link-failed"], 1]);
  });
});

describe("RT-2: embeddings over HTTP", () => {
  test("RT-2: vectors are made of what is on the shelf and found again by the same words", async () => {
    const rows = new Map<string, Uint8Array>();
    const read = { findVectors: async () => rows };
    const port = {
      ...read,
      putVectors: async (_: string, some: readonly { digest: string; vector: Uint8Array }[]) =>
        some.forEach(({ digest, vector }) => rows.set(digest, vector)),
    };
    const embedder = await createEmbedder({ ...reach(), model: "e" });
    const entries = [...shelf.entries.values()];
    const documents = {
      digests: entries.map(({ digest }) => digest),
      read: async (some: readonly string[]) =>
        entries
          .filter(({ digest }) => some.includes(digest))
          .map(({ digest, name, description }) => ({ digest, name, description, body: "The body." })),
    };
    const kept = { read, transaction: <Result>(act: (writes: typeof port) => Promise<Result>) => act(port) };
    expect(await embedMissing({ kept, embedder, model: "e", documents })).toEqual({ made: 3, refused: 0 });
    expect(upstream.requests.map(({ path }) => path)).toEqual(["/v1/embeddings"]);
    const link = semanticLink({ embedder, vectors: createVectors(read, "e"), timeBox: 2000 });
    const chain = createChain([link], { clock: fixedClock(), timer, thresholds });
    const { matches } = await chain.route(shelf, "csv\nSays how to csv.\n\nThe body.", {});
    expect(matches[0]).toMatchObject({ entry: "house:csv", link: "semantic" });
    expect(matches[0]?.why).toMatch(/^close in meaning \(1\.00\)/);
    expect(upstream.requests).toHaveLength(2);
  });
});
