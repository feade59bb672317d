import { expect, onTestFinished, test } from "vitest";
import { Serving } from "../../src/features/serving.ts";
import { Targets } from "../../src/features/configurations/targets.ts";
import { startUpstream } from "../../src/testing/testing.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { ada, say, syncedRegistry } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const secret = "sk-this-is-the-secret-0123456789";

/** A registry whose chain asks a real service over HTTP; of its three skills one is not approved. */
async function home() {
  const upstream = await startUpstream({ secret });
  onTestFinished(() => upstream.close());
  const config = `network: { private: { "${new URL(upstream.url).host}": "127.0.0.1/32" } }
route: { links: [exact, lexical, semantic, llm], semantic: vectors, llm: chooser }\n`;
  const { folder, app } = await syncedRegistry(["tide-tables", "bread-baking", "secret-plans"], { config });
  for (const name of ["tide-tables", "bread-baking"]) await say(app, ada, "approve", `skills:${name}`);
  const context = { ...app.llm, permit: allow(ada) };
  await addProvider(context, "service", { protocol: "openai", origin: upstream.url, models: ["*"] }, secret);
  for (const id of ["vectors", "chooser"]) await addConfiguration(context, id, { provider: "service", model: "m" });
  const routing = { enabled: true };
  await addConfiguration(context, "house", { provider: "service", model: "m", routing, routable: ["source:skills"] });
  const serving = new Serving(app);
  onTestFinished(() => serving.close());
  const choose = async (query: string) => {
    const target = await new Targets(app).find(ada, { configuration: "house" });
    return serving.routing.chooseFor(target, query);
  };
  const { snapshot } = await app.registry.look();
  return { upstream, folder, app, serving, snapshot, choose, clock: folder.clock };
}

function asked(requests: readonly { readonly path: string }[], what: string): number {
  return requests.filter(({ path }) => path.includes(what)).length;
}

test("T31, RT-6: vectors are made of what is approved, once; of anything else nothing leaves", async () => {
  const { upstream, serving, snapshot } = await home();
  expect(await serving.routing.prepare(snapshot)).toMatchObject({ embedded: { made: 2, refused: 0 }, failure: null });
  expect(await serving.routing.prepare(snapshot)).toMatchObject({ embedded: { made: 0, refused: 0 }, failure: null });

  upstream.always({ text: '{"choice": 1, "sure": 0.9}' });
  await serving.route(ada, { query: "what do the tables say, or the plans?" });
  expect([asked(upstream.requests, "embeddings"), asked(upstream.requests, "chat")]).toEqual([2, 1]);
  const sent = upstream.requests.map(({ text }) => text).join("\n");
  expect(sent).toContain("tide-tables");
  expect(sent).not.toContain("secret-plans");
});

test("CO-13: on a node the same message is chosen for once, also when it was too long to be read in whole", async () => {
  const { upstream, choose, clock } = await home();
  upstream.always({ text: '{"choice": 1, "sure": 0.9}' });
  const long = `what do the tables say?\n${"line of a log that goes on and on\n".repeat(500)}`;
  const first = await choose(long);
  expect(first.findings.map(({ code }) => code)).toContain("route.query-cut");
  expect([first.entries.length, asked(upstream.requests, "chat")]).toEqual([1, 1]);

  upstream.always({ text: '{"choice": null, "sure": 0.9}' });
  clock.advance(24 * 3_600_000);
  expect([await choose(long), asked(upstream.requests, "chat")]).toEqual([first, 1]);
});

test("CO-13, RT-4: what was chosen while a link failed holds for a quarter of an hour", async () => {
  const { upstream, choose, clock } = await home();
  upstream.always({ status: 500 });
  const query = "what do the tide tables say of the harbour?";
  const first = await choose(query);
  expect(first.findings.map(({ code }) => code)).toContain("route.link-failed");
  const before = upstream.requests.length;

  clock.advance(14 * 60_000);
  expect([await choose(query), upstream.requests.length]).toEqual([first, before]);
  clock.advance(2 * 60_000);
  await choose(query);
  expect(upstream.requests.length).toBeGreaterThan(before);
});
