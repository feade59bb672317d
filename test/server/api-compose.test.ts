import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Composition } from "../../src/compose/composition.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { approveSkills, attachAll, auditLength, done, echoConfiguration } from "../support/api-use.ts";

const writing = "Write plainly, in short sentences.\n";
const sailing = "Tie a bowline to moor a sailing boat with a rope.\n";
const baking = "Feed the sourdough starter with flour before baking bread.\n";

let room: ApiRoom;
beforeAll(async () => {
  room = await openApiRoom();
  await approveSkills(room, { writing, sailing, baking, endless: "Go on. ".repeat(400) });
  const routed = { routing: { enabled: true }, routable: ["source:skills"] };
  await echoConfiguration(room, "house");
  await echoConfiguration(room, "routed", routed);
  await echoConfiguration(room, "later", { ...routed, routing: { enabled: true, routeOn: "last" } });
  await echoConfiguration(room, "small", { budget: 2000 });
  await done(room, "POST", "/api/tasks", { id: "moor", configuration: "house", template: "{{input}}" });
  for (const target of ["house", "routed", "later", "small"])
    await attachAll(room, `configurations/${target}`, ["writing"]);
  await attachAll(room, "configurations/small", ["endless"]);
  await attachAll(room, "tasks/moor", ["sailing"]);
});
afterAll(() => room.close());

interface Preview {
  readonly generation: number;
  readonly budget: number;
  readonly composition: Composition & { readonly tokens: number };
  readonly last: Composition | null;
  readonly routed: readonly string[];
}

function preview(json: object): Promise<Preview> {
  return done(room, "POST", "/api/compose", json);
}

/** What the gateway puts before a message: the echo says back what it was sent. */
async function injected(model: string, content: string): Promise<{ text: string; headers: object }> {
  const json = { model, messages: [{ role: "user", content }] };
  const reply = await room.call("POST", "/v1/chat/completions", { json });
  expect(reply.status).toBe(200);
  return { text: reply.json().choices[0].message.content, headers: reply.headers };
}

describe("CO-7: the preview is what a request gets", () => {
  test.each([
    ["house", { configuration: "house" }, "Say something."],
    ["task:moor", { configuration: "house", task: "moor" }, "Say something."],
    ["routed", { configuration: "routed", query: "/sailing how do I moor my boat" }, "/sailing how do I moor my boat"],
    ["routed", { configuration: "routed", query: "qwertz uiop" }, "qwertz uiop"],
  ])("CO-7: to the byte what the gateway puts into a request to %s", async (model, asked, content) => {
    const { composition, generation, last } = await preview(asked);
    const { text, headers } = await injected(model, content);
    expect(composition.block).not.toBe("");
    expect(text).toContain(`${composition.block}\n\n${content}`);
    expect(composition.bytes).toBe(Buffer.byteLength(composition.block) + Buffer.byteLength(composition.systemBlock));
    expect(last).toBeNull();
    expect(headers).toMatchObject({
      "x-skillward-generation": String(generation),
      "x-skillward-included": String(composition.included.length),
    });
  });

  test("CO-13: what is routed is said, and stands in the block as such", async () => {
    const found = await preview({ configuration: "routed", query: "/sailing" });
    expect(found.routed).toEqual(["skills:sailing"]);
    expect(found.composition.included.map(({ entry, via }) => [entry, via])).toEqual([
      ["skills:writing", "configuration"],
      ["skills:sailing", "routed"],
    ]);
    expect((await preview({ configuration: "routed" })).routed).toEqual([]);
    expect((await preview({ configuration: "house", query: "/sailing" })).routed).toEqual([]);
  });

  test("CO-13: routed by the last message, it is a block of its own, as the gateway has it", async () => {
    const { composition, last, routed } = await preview({ configuration: "later", query: "/baking" });
    expect([routed, last?.included.map(({ entry }) => entry)]).toEqual([["skills:baking"], ["skills:baking"]]);
    const { text } = await injected("later", "/baking");
    expect(text).toContain(composition.block);
    expect(text).toContain(`${last?.block}\n\n/baking`);
  });

  test("CO-6: a skill that is left out is there with why, beside the budget; tokens are estimated", async () => {
    const { composition, budget } = await preview({ configuration: "small" });
    expect(budget).toBe(2000);
    expect(composition.dropped).toMatchObject([{ entry: "skills:endless", via: "configuration", why: "too-large" }]);
    expect(composition.findings).toMatchObject([{ code: "compose.too-large", at: { file: "entry:skills:endless" } }]);
    expect(composition.bytes).toBeLessThanOrEqual(budget);
    expect(composition.tokens).toBeGreaterThan(composition.bytes / 10);
  });

  test("CO-6: a skill that was named and does not fit fails the preview as it would the request", async () => {
    const refused = await room.call("POST", "/api/compose", { json: { configuration: "small", skills: ["endless"] } });
    expect([refused.status, refused.json().code]).toEqual([422, "budget.exceeded"]);
    const { composition } = await preview({ configuration: "small", skills: ["sailing"] });
    expect(composition.included.map(({ via }) => via)).toEqual(["configuration", "invoked"]);
  });

  test("CO-7: it records nothing: no usage, no injection, no audit record, nothing counted", async () => {
    const metrics = async () => {
      const text = (await room.call("GET", "/metrics")).text;
      return text.split("\n").filter((line) => /^skillward_(skills|routes|injected)/.test(line));
    };
    const counts = async () =>
      (await done(room, "GET", "/api/usage")).days.map(({ counts: each }: { counts: object }) => each);
    const before = [await auditLength(room), await metrics(), await counts()];
    for (let time = 0; time < 3; time++) await preview({ configuration: "routed", query: "/sailing" });
    expect([await auditLength(room), await metrics(), await counts()]).toEqual(before);
    await room.stop();
    // Whatever was still to be written is written now: of the requests above, and of nothing else.
    const injections = room.folder.sql("SELECT record FROM injections").map(({ record }) => JSON.parse(String(record)));
    expect(injections.map(({ operation }) => operation)).toEqual(injections.map(() => "chat"));
    expect(injections).toHaveLength(5);
  });
});
