import { describe, expect, it } from "vitest";
import { changeProvider } from "../../src/models/providers.ts";
import { detach } from "../../src/models/attachments.ts";
import { type GatewayHome, gatewayHome, upstreamModel } from "../support/gateway-home.ts";
import { portOf } from "../support/gateway-speakers.ts";
import { call, type Reply } from "../support/http-serving.ts";
import { permitLlm } from "../../src/models/context.ts";

/** A question that is right for each operation of the API; `house` is behind the model service, `echo` is not. */
const operations: Readonly<Record<string, object>> = {
  "/api/complete": { prompt: "Hello?" },
  "/api/chat": { messages: [{ role: "user", content: "Hello?" }] },
  "/api/translate": { text: "Hello?", to: "German" },
  "/api/embed": { texts: ["Hello?"] },
};

function ask(home: GatewayHome, path: string, json: object, key = home.key): Promise<Reply> {
  return call(portOf(home), path, { json, key });
}

/** What the answer says of it, and what was written down. */
async function given(home: GatewayHome, { headers }: Reply) {
  const { "x-skillward-injection": id, "x-skillward-included": included, "x-skillward-dropped": dropped } = headers;
  const record = (await call(portOf(home), `/api/injections/${String(id)}`, { key: home.key })).json();
  expect([record.included.length, record.dropped.length]).toEqual([Number(included), Number(dropped)]);
  return {
    included: record.included.map(({ name }: { name: string }) => name),
    dropped: record.dropped.map(({ entry, why }: { entry: string; why: string }) => `${entry} ${why}`),
    bytes: record.bytes,
  };
}

describe("the API over a real store", () => {
  it("RV-12, T39: a key that is limited to one configuration asks every operation of another in vain", async () => {
    const home = await gatewayHome();
    const limited = await home.newKey("operator", ["echo"]);
    for (const [path, question] of Object.entries(operations)) {
      const refused = await ask(home, path, { configuration: "house", ...question }, limited);
      expect([path, refused.status, refused.json().code]).toEqual([path, 403, "auth.forbidden"]);
      expect((await ask(home, path, { configuration: "echo", ...question }, limited)).status).toBe(200);
    }
    const task = await ask(home, "/api/tasks/sum-up/run", { input: "Hello?" }, limited);
    expect([task.status, task.json().code]).toEqual([403, "auth.forbidden"]);
    expect(home.upstream.requests).toEqual([]);
  });

  it("RV-12: nor does it get a skill by name that its configuration does not have", async () => {
    const home = await gatewayHome();
    await detach(permitLlm(home.app, "operate"), "config:echo", "skills:drawing");
    const limited = await home.newKey("operator", ["echo"]);
    const wanting = (skill: string) => ({ configuration: "echo", prompt: "Hello?", skills: [skill] });
    const refused = await ask(home, "/api/complete", wanting("drawing"), limited);
    expect([refused.status, refused.json().code]).toEqual([403, "auth.forbidden"]);
    expect(refused.json().detail).toContain('"skills:drawing" is not among the skills of echo');
    const own = await ask(home, "/api/complete", wanting("writing"), limited);
    expect((await given(home, own)).included).toEqual(["writing"]);
    const unlimited = await ask(home, "/api/complete", wanting("drawing"));
    expect((await given(home, unlimited)).included).toEqual(["writing", "drawing"]);
  });

  it("RV-13: a model that has left the provider's list is not asked any more, by a configuration either", async () => {
    const home = await gatewayHome({ models: [upstreamModel, "other"] });
    expect((await ask(home, "/api/complete", { configuration: "house", prompt: "Hello?" })).status).toBe(200);
    await changeProvider(permitLlm(home.app, "administer"), "openai", { models: ["other"] });
    for (const [path, question] of Object.entries(operations)) {
      const refused = await ask(home, path, { configuration: "house", ...question });
      expect([path, refused.status, refused.json().code]).toEqual([path, 403, "model.refused"]);
    }
    expect(home.upstream.requests).toHaveLength(1);
  });

  it("CO-6: where the model's context is known, skills take at most a part of it", async () => {
    const skills = { writing: "Write plainly.\n", tomes: "Read one more word. ".repeat(600) };
    const question = { configuration: "echo", prompt: "Hello?" };
    const roomy = await gatewayHome({ skills });
    const all = await given(roomy, await ask(roomy, "/api/complete", question));
    expect(all).toMatchObject({ included: ["writing", "tomes"], dropped: [] });
    const home = await gatewayHome({ skills, configuration: { contextTokens: 4000 } });
    const some = await given(home, await ask(home, "/api/complete", question));
    expect(some).toMatchObject({ included: ["writing"], dropped: ["skills:tomes too-large"] });
  });

  it("CO-8: without a user's turn nothing is put in, and nothing else is written down", async () => {
    const home = await gatewayHome();
    const messages = [{ role: "assistant", content: "How can I help?" }];
    const answer = await ask(home, "/api/chat", { configuration: "echo", messages });
    expect(answer.json().findings).toMatchObject([{ code: "inject.no-user" }]);
    expect(answer.json().text).not.toContain("skillward:");
    const dropped = ["skills:writing no-place", "skills:drawing no-place"];
    expect(await given(home, answer)).toEqual({ included: [], dropped, bytes: 0 });
  });
});
