import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { addBlock } from "../../src/features/review/blocks.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { openaiAt } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome } from "../support/gateway-home.ts";
import { type RoutingHome, routingHome, skillsIn } from "./gateway-routing.ts";
import { ada, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const skills = {
  "tide-tables": "Reads tide tables and plans when a harbour can be entered.",
  "sourdough-baking": "Bakes sourdough bread: starter, hydration, proofing, oven.",
  "invoice-matching": "Matches invoices with payments on a bank statement.",
};

/** `writing` is attached; three others may be routed, by the real router over the real index. */
async function routedHome(): Promise<GatewayHome> {
  const home = await gatewayHome({
    skills: { writing: "Write plainly.\n" },
    configuration: { routing: { enabled: true }, routable: ["source:skills"] },
  });
  for (const [name, about] of Object.entries(skills))
    home.folder.write(
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${about}\n---\nHow to do ${name}.\n`,
    );
  await runSync(home.app.sync, allow(ada), "skills");
  for (const name of Object.keys(skills)) await say(home.app, ada, "approve", `skills:${name}`);
  return home;
}

function routedIn(text: string): string[] {
  return [...text.matchAll(/How to do ([\w-]+)\./g)].map(([, name = ""]) => name);
}

describe("routing in the gateway, with everything real", () => {
  test("CO-13: the skill that fits is in the first message of all ten turns, and their bytes begin alike", async () => {
    const home = await routedHome();
    const client = openaiAt(home);
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    const turns = ["When can I enter the harbour? See the tide tables.", "And the sourdough starter?", "Thanks!"];
    for (let turn = 0; turn < 10; turn++) {
      messages.push({ role: "user", content: turns[turn % 3] ?? "" });
      const { choices } = await client.chat.completions.create({ model: "house", messages });
      messages.push({ role: "assistant", content: choices[0]?.message.content ?? "" });
    }
    const sent = home.upstream.requests.map(({ text }) => text);
    expect(sent.map(routedIn)).toEqual(sent.map(() => ["tide-tables"]));
    for (const [at, body] of sent.slice(0, -1).entries())
      expect(sent[at + 1]?.startsWith(body.slice(0, body.lastIndexOf("]")))).toBe(true);
  });

  test("RT-3: where nothing fits, nothing is added", async () => {
    const home = await routedHome();
    const content = "What is the capital of Mongolia?";
    await openaiAt(home).chat.completions.create({ model: "house", messages: [{ role: "user", content }] });
    expect(home.upstream.requests.map(({ text }) => routedIn(text))).toEqual([[]]);
  });

  test("RT-5, RT-7: /api/route says which skill, and why, within what the key may use", async () => {
    const home = await routedHome();
    const ask = async (body: object, key: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const response = await fetch(`${home.url}/api/route`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, answer: await response.json() };
    };
    const query = "match these invoices with the statement of the bank";
    const limited = await home.newKey("reader", ["house"]);

    expect(await ask({ query }, home.key)).toMatchObject({
      status: 200,
      answer: { matches: [{ name: "invoice-matching", link: "lexical", why: expect.stringContaining("invoices") }] },
    });
    expect(await ask({ query }, limited)).toMatchObject({ status: 403, answer: { code: "auth.forbidden" } });
    expect(await ask({ query, configuration: "claude" }, limited)).toMatchObject({ status: 403 });
    expect(await ask({ query, configuration: "house", limit: 1 }, limited)).toMatchObject({
      status: 200,
      answer: { matches: [{ entry: "skills:invoice-matching" }] },
    });
    expect(await ask({ query: 7 }, home.key)).toMatchObject({ status: 400 });
  });

  test("invariant 8: what is blocked while skills are chosen is not given out", async () => {
    const home: RoutingHome = await routingHome({
      choose: async () => {
        if (home.calls.length === 1)
          await addBlock(home.app, { kind: "entry", value: "skills:cooking", reason: "bad" });
        return ["skills:cooking"];
      },
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "cooking" }];
    await openaiAt(home).chat.completions.create({ model: "house", messages });
    expect(home.upstream.requests.map(({ text }) => skillsIn(text))).toEqual([["writing"]]);
    expect(home.calls).toHaveLength(2);
  });
});
