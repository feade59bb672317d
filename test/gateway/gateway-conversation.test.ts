import { join } from "node:path";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { prepareDemonstration } from "../../src/features/overview/demonstration.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { attach } from "../../src/models/attachments.ts";
import { all, anthropicAt, compositionOf, failureOf, latin1, openaiAt, post } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, type GatewayWishes } from "../support/gateway-home.ts";
import { chatOf, messagesOf, responsesOf, type Talk } from "./gateway-talks.ts";
import { ada, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

const system: GatewayWishes = { trust: "first_party", configuration: { placement: "system" } };
const ways: Readonly<Record<string, readonly [(home: GatewayHome) => Talk, GatewayWishes]>> = {
  "chat completions": [chatOf, {}],
  "chat completions with placement system": [chatOf, system],
  messages: [messagesOf, {}],
  "messages with placement system": [messagesOf, system],
  responses: [responsesOf, {}],
  "responses with placement system": [responsesOf, system],
};

/** Behind which turns the upstream could not go on from the bytes that it had. */
function breaks(home: GatewayHome): number[] {
  const bodies = home.upstream.requests.map(({ body }) => latin1(body));
  // The list of messages is last: it goes on behind its last one.
  const prefixes = bodies.map((body) => body.slice(0, body.lastIndexOf("]")));
  return prefixes.flatMap((prefix, at) => {
    const next = bodies[at + 1];
    return next === undefined || next.startsWith(prefix) ? [] : [at + 1];
  });
}

async function approveAnother(home: GatewayHome, name: string): Promise<void> {
  home.folder.writeSkill(name, `How to do ${name}.\n`);
  await runSync(home.app.sync, allow(ada), "skills");
  await say(home.app, ada, "approve", `skills:${name}`);
}

describe("ten turns", () => {
  it.each(Object.entries(ways))("CO-3, CO-12: begin with the same bytes: %s", async (_name, [open, wishes]) => {
    const home = await gatewayHome(wishes);
    const talk = open(home);
    for (let turn = 1; turn <= 10; turn++) {
      // A new generation in which nothing of this configuration changed.
      if (turn === 4) await approveAnother(home, "unrelated");
      await talk(`Turn ${turn}, Zürich 🌧.`);
    }
    expect(breaks(home)).toEqual([]);
    const [first, last] = [home.upstream.requests[0]?.text, home.upstream.requests.at(-1)?.text];
    for (const text of [first, last]) expect(text?.split("Write plainly.")).toHaveLength(2);
    expect(last).toContain("Turn 10");
  });

  it.each(Object.entries(ways).slice(0, 3))(
    "CO-12: begin with other bytes once, when another skill is attached: %s",
    async (_name, [open, wishes]) => {
      const home = await gatewayHome(wishes);
      const talk = open(home);
      for (let turn = 1; turn <= 10; turn++) {
        if (turn === 6) {
          await approveAnother(home, "cooking");
          for (const target of ["config:house", "config:claude"])
            await attach(permitLlm(home.app, "operate"), target, "skills:cooking");
        }
        await talk(`Turn ${turn}.`);
      }
      expect(breaks(home)).toEqual([5]);
      const texts = home.upstream.requests.map(({ text }) => text.includes("How to do cooking."));
      expect(texts).toEqual([...Array(5).fill(false), ...Array(5).fill(true)]);
    },
  );

  it("CO-3: begin with the same bytes after a restart of the server", async () => {
    const home = await gatewayHome();
    await chatOf(home)("Turn 1.");
    await chatOf({ ...home, url: await home.restart() })("Turn 1.");
    expect(home.upstream.requests[1]?.text).toBe(home.upstream.requests[0]?.text);
  });
});

describe("what the upstream keeps", () => {
  interface Kept {
    readonly home: GatewayHome;
    readonly ask: (input: OpenAI.Responses.ResponseInput | string, more?: object) => Promise<string>;
    /** Which requests the skills went into, and what is written down of the last. */
    readonly injected: () => boolean[];
    readonly last: () => Record<string, string | null>;
  }

  async function kept(wishes: GatewayWishes = {}): Promise<Kept> {
    const home = await gatewayHome(wishes);
    let headers = new Headers();
    const ask: Kept["ask"] = async (input, more = {}) => {
      const asked = openaiAt(home).responses.create({ model: "house", input, ...more });
      const { data, response } = await asked.withResponse();
      headers = response.headers;
      return data.id;
    };
    const last = () =>
      Object.fromEntries(["included", "dropped"].map((name) => [name, headers.get(`x-skillward-${name}`)]));
    const injected = () => home.upstream.requests.map(({ text }) => text.includes("Write plainly."));
    return { home, ask, injected, last };
  }

  it("CO-8: a conversation is given its skills once, and others once when they change", async () => {
    const { home, ask, injected, last } = await kept();
    await ask("One.", { conversation: "conv_1" });
    expect(last()).toEqual({ included: "2", dropped: "0" });
    await ask("Two.", { conversation: { id: "conv_1" } });
    // They are there: neither put in nor kept out.
    expect(last()).toEqual({ included: "0", dropped: "0" });
    await ask("Another.", { conversation: "conv_2" });
    await approveAnother(home, "cooking");
    await attach(permitLlm(home.app, "operate"), "config:house", "skills:cooking");
    await ask("Three.", { conversation: "conv_1" });
    await ask("Four.", { conversation: "conv_1" });
    expect(injected()).toEqual([true, false, true, true, false]);
  });

  it("CO-8: a response stays what it was: going on from it twice after a change brings the new skills twice", async () => {
    const { home, ask, injected } = await kept();
    const first = await ask("One.");
    await approveAnother(home, "cooking");
    await attach(permitLlm(home.app, "operate"), "config:house", "skills:cooking");
    const second = await ask("Two.", { previous_response_id: first });
    await ask("Two, again.", { previous_response_id: first });
    await ask("Three.", { previous_response_id: second });
    expect(injected()).toEqual([true, true, true, false]);
  });

  it("CO-8: what had no place is not there: the next turn with a place gets it", async () => {
    const { ask, injected, last } = await kept();
    const result = { type: "function_call_output" as const, call_id: "call_1", output: "12°" };
    const first = await ask([result], { previous_response_id: "resp_from_elsewhere" });
    expect(last()).toEqual({ included: "0", dropped: "2" });
    const second = await ask("Two.", { previous_response_id: first });
    await ask([result], { previous_response_id: second });
    await ask("Four.", { conversation: "conv_1" });
    expect(injected()).toEqual([false, true, false, true]);
  });

  it("CO-8: what was left out on request, or failed, is not there either", async () => {
    const { home, ask, injected } = await kept();
    const off = openaiAt(home, "", { headers: { "x-skillward-inject": "off" } });
    const { id } = await off.responses.create({ model: "house", input: "One." });
    await ask("Two.", { previous_response_id: id });
    home.upstream.next({ status: 500 });
    await expect(ask("Three.", { conversation: "conv_1" })).rejects.toMatchObject({ status: 500 });
    await ask("Three.", { conversation: "conv_1" });
    // Cut off in the middle: whether the upstream keeps it is not known.
    home.upstream.next({ resetAfter: 3 });
    const broken = openaiAt(home).responses.stream({ model: "house", input: "Four.", conversation: "conv_2" });
    expect(await failureOf(broken.finalResponse())).toBeInstanceOf(Error);
    await ask("Four.", { conversation: "conv_2" });
    expect(injected()).toEqual([false, true, true, true, true, true]);
  });

  it("CO-8: instructions are of one request: with placement system they come with each, the rest once", async () => {
    const { home, ask, last } = await kept(system);
    home.folder.write("other/gardening/SKILL.md", skillText("gardening", "Water at dusk.\n"));
    await addFolder(home.app.sync, allow(ada), join(home.folder.root, "other"), { id: "other", trust: "community" });
    await runSync(home.app.sync, allow(ada), "other");
    await say(home.app, ada, "approve", "other:gardening");
    await attach(permitLlm(home.app, "operate"), "config:house", "other:gardening");
    const { block, systemBlock } = await compositionOf(home, "house");
    const instructions = `Be brief.\n\n${systemBlock}`;

    const first = await ask("One.", { instructions: "Be brief." });
    expect(last()).toEqual({ included: "3", dropped: "0" });
    await ask("Two.", { previous_response_id: first, instructions: "Be brief." });
    expect(last()).toEqual({ included: "2", dropped: "0" });
    expect(home.upstream.requests.map(({ text }): unknown => JSON.parse(text))).toEqual([
      { model: "test-model", input: `${block}\n\nOne.`, instructions },
      { model: "test-model", input: "Two.", previous_response_id: first, instructions },
    ]);
    expect([block.includes("Water at dusk."), systemBlock.includes("Write plainly.")]).toEqual([true, true]);
  });

  it("CO-8: a response of one configuration says nothing about another", async () => {
    const { home, ask, injected } = await kept();
    const first = await ask("One.");
    const echo = { model: "echo", input: "Two.", previous_response_id: first };
    expect((await openaiAt(home).responses.create(echo)).output_text).toContain("Write plainly.");
    await ask("Three.", { previous_response_id: first });
    expect(injected()).toEqual([true, false]);
  });
});

describe("echo", () => {
  it("CO-18: answers with the composed prompt in both protocols, plain and streamed, to both clients", async () => {
    const home = await gatewayHome();
    const { block } = await compositionOf(home, "echo");
    const messages = [{ role: "user" as const, content: "Hello, 🌧!" }];
    const composed = `[user]\n${block}\n\nHello, 🌧!`;
    expect(block).toContain("Write plainly.");

    const openai = openaiAt(home);
    const { choices } = await openai.chat.completions.create({ model: "echo", messages });
    expect(choices[0]?.message.content).toBe(composed);
    const chunks = await all(await openai.chat.completions.create({ model: "echo", messages, stream: true }));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe(composed);
    const { output_text: text } = await openai.responses.create({ model: "echo", input: "Hello, 🌧!" });
    expect(text).toBe(composed);
    const streamed = await openai.responses.stream({ model: "echo", input: "Hello, 🌧!" }).finalResponse();
    expect(streamed.output_text).toBe(composed);
    const completion = await openai.completions.create({ model: "echo", prompt: "Hello, 🌧!" });
    expect(completion.choices[0]?.text).toBe(composed.slice("[user]\n".length));

    const asked = { model: "echo", max_tokens: 9, messages };
    const anthropic = anthropicAt(home);
    expect((await anthropic.messages.create(asked)).content).toMatchObject([{ type: "text", text: composed }]);
    expect(await anthropic.messages.stream(asked).finalText()).toBe(composed);
    expect((await anthropic.messages.countTokens({ model: "echo", messages })).input_tokens).toBeGreaterThan(100);
    expect((await openai.embeddings.create({ model: "echo", input: "a" })).data).toHaveLength(1);
    expect(home.upstream.requests).toEqual([]);
  });

  it("CO-18: what a start shows works without any key of a model service, in both protocols", async () => {
    const home = await gatewayHome({ skills: {} });
    const { key, configuration: model } = await prepareDemonstration(home.app, "examples/skills");
    const messages = [{ role: "user" as const, content: "Scale my pancakes from 4 to 10 people." }];
    const { block } = await compositionOf(home, model);
    const composed = `[user]\n${block}\n\nScale my pancakes from 4 to 10 people.`;

    // As `curl` sends it.
    const response = await post(home, "/v1/chat/completions", JSON.stringify({ model, messages }), {
      authorization: `Bearer ${key}`,
    });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: composed } }] });
    expect(response.headers.get("x-skillward-included")).toBe("2");
    const openai = openaiAt(home, "", { key });
    const whole = await openai.chat.completions.stream({ model, messages }).finalContent();
    expect(whole).toBe(composed);
    const asked = { model, max_tokens: 9, messages };
    expect(await anthropicAt(home, "", { key }).messages.stream(asked).finalText()).toBe(composed);

    // The key of the demonstration is for nothing else.
    const other = await failureOf(openai.chat.completions.create({ model: "house", messages }));
    expect(other).toMatchObject({ status: 403, code: "auth.forbidden" });
    expect(home.upstream.requests).toEqual([]);
  });
});
