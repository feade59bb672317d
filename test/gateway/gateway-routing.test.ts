import { describe, expect, it } from "vitest";
import { changeConfiguration } from "../../src/models/configurations.ts";
import { attach, detach } from "../../src/models/attachments.ts";
import { compositionOf, failureOf, inJson, latin1, openaiAt, post } from "../support/gateway-clients.ts";
import { approve, routingHome, type RoutingHome, skillsIn } from "./gateway-routing.ts";
import { chatOf, messagesOf, responsesOf } from "./gateway-talks.ts";
import { ada, currentOf, say } from "../support/registry.ts";
import { permitLlm } from "../../src/models/context.ts";

const ways = { "chat completions": chatOf, messages: messagesOf, responses: responsesOf };
/** The second turn, and those after it, would be given another skill than the first. */
const turns = ["Zürich 🌧: cooking?", ...Array.from({ length: 9 }, (_, at) => `Turn ${at + 2}: gardening.`)];

function bodies(home: RoutingHome): string[] {
  return home.upstream.requests.map(({ body }) => latin1(body));
}

/** What the user said in one request, each message as one text. */
function userTexts(home: RoutingHome, at: number): string[] {
  const { messages, input } = JSON.parse(home.upstream.requests.at(at)?.text ?? "{}");
  const own = (messages ?? input).filter(({ role }: { role: string }) => role === "user");
  const textOf = ({ text = "" }) => text;
  return own.map(({ content }: { content: string | { text?: string }[] }) =>
    typeof content === "string" ? content : content.map(textOf).join("\n\n"),
  );
}

/** Behind the first occurrence; 0 when there is none. */
function endOf(text: string, part: string): number {
  const at = text.indexOf(part);
  return at < 0 ? 0 : at + part.length;
}

describe("CO-13: ten turns that the client keeps", () => {
  it.each(Object.entries(ways))(
    "CO-3, CO-12: routed on the first message, all begin with the same bytes: %s",
    async (_name, open) => {
      const home = await routingHome();
      const talk = open(home);
      for (const turn of turns) await talk(turn);
      const sent = bodies(home);
      for (const [at, body] of sent.slice(0, -1).entries())
        expect(sent[at + 1]?.startsWith(body.slice(0, body.lastIndexOf("]")))).toBe(true);
      expect(sent.map(skillsIn)).toEqual(turns.map(() => ["writing", "cooking"]));
      expect(new Set(home.calls.map(({ query }) => query))).toEqual(new Set([turns[0]]));
      expect(home.records.at(-1)?.included).toMatchObject([
        { entry: "skills:writing", via: "configuration", place: "user" },
        { entry: "skills:cooking", via: "routed", place: "user" },
      ]);
    },
  );

  it.each(Object.entries(ways))(
    "routed on the last message, the first block stays, and the second goes with that message: %s",
    async (name, open) => {
      const home = await routingHome({ routeOn: "last" });
      const { block } = await compositionOf(home, name === "messages" ? "claude" : "house");
      const talk = open(home);
      for (const turn of turns) await talk(turn);
      const starts = home.upstream.requests.map(({ text }) => text.slice(0, endOf(text, inJson(block))));
      expect(starts[0]).not.toBe("");
      expect(new Set(starts).size).toBe(1);
      // One message is the first and the last: the block that stays is in front.
      expect(userTexts(home, 0)[0]?.startsWith(`${block}\n\n`)).toBe(true);
      expect(skillsIn(userTexts(home, 0)[0] ?? "")).toEqual(["writing", "cooking"]);
      const [first = "", ...rest] = userTexts(home, -1);
      expect(first).toBe(`${block}\n\n${turns[0]}`);
      expect(rest.slice(0, -1)).toEqual(turns.slice(1, -1));
      expect(skillsIn(rest.at(-1) ?? "")).toEqual(["gardening"]);
      expect(rest.at(-1)?.endsWith(`]]\n\n${turns[9]}`)).toBe(true);
      expect(home.calls.map(({ query }) => query)).toEqual(turns);
      expect(home.records.at(-1)?.included).toMatchObject([
        { entry: "skills:writing", via: "configuration", place: "user" },
        { entry: "skills:gardening", via: "routed", place: "last" },
      ]);
    },
  );

  it("one skill is in one of the two blocks, and no block has the boundary of another", async () => {
    const home = await routingHome({ routeOn: "last", choose: () => ["skills:writing", "skills:sailing"] });
    const boundaries = (text = "") => [...text.matchAll(/\[\[skillward:begin (\w+)\]\]/g)].map(([, each]) => each);
    await chatOf(home)("Go.");
    expect(skillsIn(bodies(home)[0] ?? "")).toEqual(["writing", "sailing"]);
    // The same skill by itself, once as a second block and once as the first.
    await detach(permitLlm(home.app, "operate"), "config:house", "skills:writing");
    await attach(permitLlm(home.app, "operate"), "config:house", "skills:sailing");
    await chatOf(home)("Go.");
    expect(skillsIn(bodies(home)[1] ?? "")).toEqual(["sailing", "writing"]);
    const seen = bodies(home).flatMap(boundaries);
    expect([seen.length, new Set(seen).size]).toEqual([4, 4]);
  });

  it("what only hands back what tools answered says nothing: the second block stays where it was", async () => {
    const home = await routingHome({ routeOn: "last" });
    const said = { role: "user", content: "Is it gardening weather?" };
    const call = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] };
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "cooking" }] };
    for (const messages of [[said], [said, call, result]]) {
      const body = JSON.stringify({ model: "claude", max_tokens: 9, messages });
      expect((await post(home, "/v1/messages", body)).status).toBe(200);
    }
    const [first = "", second = ""] = bodies(home);
    expect(second.startsWith(first.slice(0, first.lastIndexOf("]")))).toBe(true);
    expect(home.calls.map(({ query }) => query)).toEqual([said.content, said.content]);
  });
});

describe("CO-6, CO-13: one budget for both blocks", () => {
  it.each(["first", "last"] as const)("routed on the %s message, what is routed goes first", async (routeOn) => {
    const wide = await routingHome({ routeOn });
    await chatOf(wide)("cooking");
    const bytes = wide.records[0]?.bytes ?? 0;
    const home = await routingHome({ routeOn, configuration: { budget: bytes - 1 } });
    await chatOf(home)("cooking");
    expect(skillsIn(bodies(home)[0] ?? "")).toEqual(["writing"]);
    expect(home.records[0]?.dropped).toMatchObject([{ entry: "skills:cooking", via: "routed", why: "over-budget" }]);
    expect(home.records[0]?.findings.map(({ code }) => code)).toEqual(["compose.over-budget"]);
    const exact = await routingHome({ routeOn, configuration: { budget: bytes } });
    await chatOf(exact)("cooking");
    expect(skillsIn(bodies(exact)[0] ?? "")).toEqual(["writing", "cooking"]);
  });
});

describe("CO-8, CO-13: what the upstream keeps", () => {
  const asked =
    (home: RoutingHome) =>
    async (input: string, more: object = {}) =>
      (await openaiAt(home).responses.create({ model: "house", input, ...more })).id;
  const codes = (home: RoutingHome) => home.records.map(({ findings }) => findings.map(({ code }) => code));

  it("goes on with what the first message was given", async () => {
    const home = await routingHome();
    const ask = asked(home);
    const first = await ask("One: cooking.");
    const second = await ask("Two: gardening.", { previous_response_id: first });
    await ask("Three: sailing.", { previous_response_id: second });
    expect(bodies(home).map(skillsIn)).toEqual([["writing", "cooking"], [], []]);
    expect(home.calls).toHaveLength(1);
    // Another set is another block, with what was chosen at the beginning.
    await approve(home, "painting");
    await attach(permitLlm(home.app, "operate"), "config:house", "skills:painting");
    await ask("Four: sailing.", { previous_response_id: second });
    expect(skillsIn(bodies(home)[3] ?? "")).toEqual(["writing", "painting", "cooking"]);
    expect(home.calls).toHaveLength(1);
    expect(codes(home)).toEqual([[], ["inject.already-there"], ["inject.already-there"], []]);
  });

  it("goes on with nothing where nothing was chosen, also without anything attached", async () => {
    const home = await routingHome({ skills: {} });
    const first = await asked(home)("One.");
    await asked(home)("Two: gardening.", { previous_response_id: first });
    expect(bodies(home).map(skillsIn)).toEqual([[], []]);
    expect(home.calls.map(({ query }) => query)).toEqual(["One."]);
  });

  it("RT-5: is not given again what may not be routed any more", async () => {
    const home = await routingHome();
    const ask = asked(home);
    const first = await ask("One: cooking.", { conversation: "conv_1" });
    await changeConfiguration(permitLlm(home.app, "operate"), "house", { routable: ["skills:gardening"] });
    await ask("Two.", { conversation: "conv_1" });
    await changeConfiguration(permitLlm(home.app, "operate"), "house", { routing: { enabled: false } });
    await ask("Two.", { previous_response_id: first });
    expect(bodies(home).map(skillsIn)).toEqual([["writing", "cooking"], ["writing"], ["writing"]]);
  });

  it("is chosen by what there is where the beginning is not known, and that is said and then holds", async () => {
    const home = await routingHome();
    const first = await asked(home)("Go on: gardening.", { previous_response_id: "resp_from_elsewhere" });
    await asked(home)("And: sailing.", { previous_response_id: first });
    expect(bodies(home).map(skillsIn)).toEqual([["writing", "gardening"], []]);
    expect(codes(home)).toEqual([["route.first-unknown"], ["inject.already-there"]]);
  });

  it("CO-12: routed on the last message, a second block is given when it is another one", async () => {
    const home = await routingHome({ routeOn: "last" });
    const says = ["cooking", "cooking, again", "nothing", "cooking", "gardening"];
    for (const said of says) await asked(home)(said, { conversation: "conv_1" });
    expect(bodies(home).map(skillsIn)).toEqual([["writing", "cooking"], [], [], [], ["gardening"]]);
    expect(home.calls.map(({ query }) => query)).toEqual(says);
    expect(home.records.map(({ dropped }) => dropped)).toEqual(says.map(() => []));
  });
});

describe("invariant 8: routing and what a request rests on", () => {
  it("is done again with the new target when somebody changed something meanwhile", async () => {
    const home: RoutingHome = await routingHome({
      choose: async () => {
        if (home.calls.length === 1) await say(home.app, ada, "disable", "skills:cooking");
        return home.calls.length === 1 ? ["skills:cooking"] : ["skills:sailing"];
      },
    });
    await chatOf(home)("Go.");
    expect(bodies(home).map(skillsIn)).toEqual([["writing", "sailing"]]);
    const [first, second] = home.calls.map(({ target }) => target.look.snapshot);
    expect(second?.generation).toBeGreaterThan(first?.generation ?? 0);
    expect([first?.usable.has("skills:cooking"), second?.usable.has("skills:cooking")]).toEqual([true, false]);
    expect(home.records).toHaveLength(1);
  });

  it("RT-4: a router that fails is no reason for a request to fail; the next turn may be routed", async () => {
    const home: RoutingHome = await routingHome({
      choose: ({ query }) => {
        if (home.calls.length === 1) throw new Error("no index");
        return [`skills:${query}`];
      },
    });
    const { id } = await openaiAt(home).responses.create({ model: "house", input: "cooking" });
    expect(skillsIn(bodies(home)[0] ?? "")).toEqual(["writing"]);
    expect(home.records[0]?.findings).toMatchObject([{ code: "route.failed", level: "medium" }]);
    await openaiAt(home).responses.create({ model: "house", input: "sailing", previous_response_id: id });
    expect(skillsIn(bodies(home)[1] ?? "")).toEqual(["writing", "sailing"]);
  });

  it("RT-4: a client that leaves ends the routing, and nothing is sent", async () => {
    const leaving = new AbortController();
    let ended = (_reason: unknown) => {};
    const over = new Promise((resolve) => (ended = resolve));
    const home = await routingHome({
      choose: ({ signal }) => {
        leaving.abort();
        return new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            reject(signal.reason);
            ended(signal.aborted);
          });
        });
      },
    });
    const chat = openaiAt(home).chat.completions;
    const messages = [{ role: "user" as const, content: "cooking" }];
    expect(await failureOf(chat.create({ model: "house", messages }, { signal: leaving.signal }))).toBeInstanceOf(
      Error,
    );
    expect(await over).toBe(true);
    // Whoever comes next is served; of the one that left nothing arrived.
    expect(home.upstream.requests).toEqual([]);
    expect(home.records).toEqual([]);
  });
});

describe("CO-9, CO-13: who is not routed", () => {
  it("requests that are left alone, configurations that do not route, and what gets no skills at all", async () => {
    const home = await routingHome();
    const chat = '{"model":"house","messages":[{"role":"user","content":"cooking"}]}';
    const [openai, silent] = [openaiAt(home), '{"model":"house","messages":[{"role":"user","content":"  "}]}'];
    expect((await post(home, "/v1/chat/completions", chat, { "x-skillward-inject": "off" })).status).toBe(200);
    expect((await post(home, "/v1/chat/completions", silent)).status).toBe(200);
    await openai.embeddings.create({ model: "house", input: "cooking" });
    await openai.moderations.create({ model: "house", input: "cooking" });
    const person = { ...ada, configurations: null };
    const { answers } = home.serving;
    await answers.translate(person, { request: "r", configuration: "echo", text: "cooking", to: "German" });
    await answers.embed(person, { request: "r", configuration: "echo", texts: ["cooking"] });
    await changeConfiguration(permitLlm(home.app, "operate"), "house", { routing: { enabled: false } });
    expect((await post(home, "/v1/chat/completions", chat)).status).toBe(200);
    expect(home.calls).toEqual([]);
  });
});

describe("CO-13, CO-14: what is routed on", () => {
  it.each(["first", "last"] as const)("both ends of a long %s message, and no more than that", async (routeOn) => {
    const home = await routingHome({ routeOn });
    const [pasted, question] = ["2026-11-16 all is well\n".repeat(3300), "So, what about cooking?"];
    await chatOf(home)(pasted + question);
    await messagesOf(home)(pasted + question);
    expect(home.calls.map(({ query }) => [query.length, query.endsWith(question)])).toEqual([
      [65_537, true],
      [65_537, true],
    ]);
    expect(bodies(home).map(skillsIn)).toEqual([
      ["writing", "cooking"],
      ["writing", "cooking"],
    ]);
  });

  it.each([true, false])("CO-9, CO-15: a part that says it twice goes on as it came, routed: %s", async (enabled) => {
    const parts = '[{"type":"text","text":"sailing","text":"cooking"},{"type":"x","type":"y","Type":"z"}]';
    const home = await routingHome({ enabled });
    const body = `{"model":"house","messages":[{"role":"user","content":${parts}}]}`;
    expect((await post(home, "/v1/chat/completions", body)).status).toBe(200);
    expect(bodies(home)[0]).toContain(parts.slice(1));
    expect(home.calls.map(({ query }) => query)).toEqual(enabled ? ["cooking"] : []);
  });

  it.each(["first", "last"] as const)("a prompt, the %s message of a chat, the input of a task", async (routeOn) => {
    const home = await routingHome({ routeOn });
    const { answers } = home.serving;
    const common = { request: "r", configuration: "echo" };
    const { text } = await answers.complete(ada, { ...common, prompt: "cooking?" });
    expect(skillsIn(text)).toEqual(["writing", "cooking"]);
    const messages = ["cooking", "gardening"].map((content) => ({ role: "user" as const, content }));
    const chat = await answers.chat(ada, { ...common, messages });
    expect(skillsIn(chat.text)).toEqual(routeOn === "first" ? ["writing", "cooking"] : ["writing", "gardening"]);
    expect(chat.injection).toMatchObject({ included: 2, dropped: 0 });
    await answers.runTask(ada, { request: "r", task: "sum-up", input: "sailing" });
    expect(home.upstream.requests.at(-1)?.text).toContain("How to do sailing.");
    const prompts = { model: "house", prompt: ["cooking", "sailing"] };
    await openaiAt(home).completions.create(prompts);
    expect(skillsIn(bodies(home).at(-1) ?? "")).toEqual(["writing", "cooking", "writing", "cooking"]);
    const last = routeOn === "first" ? "cooking" : "gardening";
    expect(home.calls.map(({ query }) => query)).toEqual(["cooking?", last, "sailing", "cooking"]);
  });

  it("RV-8: that a skill was routed is usage, beside that it was injected", async () => {
    const home = await routingHome();
    await chatOf(home)("cooking");
    await home.serving.close();
    const used = async (entry: string) => {
      const uses = await home.app.kept.read.usageOf(await currentOf(home.app, entry), 9);
      return uses.map(({ event }) => event).toSorted();
    };
    expect(await used("skills:cooking")).toEqual(["injected", "routed"]);
    expect(await used("skills:writing")).toEqual(["injected"]);
  });
});
