import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { addApiKey } from "../../src/features/people/flow.ts";
import { revokeKey } from "../../src/registry/accounts/api-keys.ts";
import { addUser } from "../../src/registry/accounts/users.ts";
import { attach, detach } from "../../src/models/attachments.ts";
import { changeConfiguration, removeConfiguration } from "../../src/models/configurations.ts";
import { addTask } from "../../src/models/task.ts";
import { call, until } from "../support/http-serving.ts";
import { type Era, eras } from "./mcp-eras.ts";
import { McpHome } from "../support/mcp-home.ts";
import { ada, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

const names = ["writing", "drawing", "counting", "dancing", "spare"];
let home: McpHome;
beforeAll(async () => {
  const files = names.map((name) => [`team/${name}/SKILL.md`, skillText(name, `How to be good at ${name}.\n`)]);
  home = await McpHome.create({ ...Object.fromEntries(files), "shop/till/SKILL.md": skillText("till") });
  await home.approve(...names.map((name) => `team:${name}`), "shop:till");
  await home.configure("house");
  await home.configure("shop", { routable: ["source:shop"] });
  await home.configure("strict", { trustFloor: "first_party" });
  await attach(permitLlm(home.app, "operate"), "config:house", "team:writing");
  await attach(permitLlm(home.app, "operate"), "config:shop", "team:drawing");
  await attach(permitLlm(home.app, "operate"), "config:strict", "team:writing");
  await addTask(permitLlm(home.app, "operate"), "sum-up", { configuration: "house", template: "Sum up: {{input}}" });
  await attach(permitLlm(home.app, "operate"), "task:sum-up", "team:counting");
});
afterAll(() => home.remove());

async function listedBy(client: Client): Promise<string[]> {
  const { skills } = await new SkillsClient(client).list();
  return skills.map(({ uri }) => uri.replace("skill://", "").replace("/SKILL.md", "")).toSorted();
}

const bothEras = Object.keys(eras) as Era[];

describe.each(bothEras)("RV-12: a key that is limited to configurations, %s", (era) => {
  test.each([
    [["house"], ["team/counting", "team/writing"]],
    [["shop"], ["shop/till", "team/drawing"]],
    [
      ["house", "shop"],
      ["shop/till", "team/counting", "team/drawing", "team/writing"],
    ],
    [["strict"], []],
  ])("%j is shown what these can have, and nothing else is there", async (configurations, expected) => {
    const client = await home.connect(await home.key(configurations), eras[era]);
    expect(await listedBy(client)).toEqual(expected);
    for (const name of [...names.map((each) => `team/${each}`), "shop/till"]) {
      const uri = `skill://${name}/SKILL.md`;
      const isShown = expected.includes(name);
      expect([name, await answersTo(client.readResource({ uri }))]).toEqual([name, isShown]);
      expect([name, await answersTo(new SkillsClient(client).get(uri))]).toEqual([name, isShown]);
      const skill = name.replace("/", ":");
      const { isError = false } = await client.callTool({ name: "load_skill", arguments: { skill } });
      expect([name, isError]).toEqual([name, !isShown]);
    }
    const { content } = await client.callTool({
      name: "find_skill",
      arguments: { query: "What dancing does and when" },
    });
    expect(JSON.stringify(content)).not.toContain("team:dancing");
  });

  test("RV-12: a reader without limits is shown everything that is approved", async () => {
    const client = await home.connect(await home.key(undefined, "reader"), eras[era]);
    expect(await listedBy(client)).toEqual(["shop/till", ...names.map((name) => `team/${name}`)].toSorted());
  });

  test("RV-12: another limit holds from the next request on", async () => {
    const client = await home.connect(await home.key(["house"]), eras[era]);
    await attach(permitLlm(home.app, "operate"), "config:house", "team:dancing");
    expect(await listedBy(client)).toContain("team/dancing");
    await detach(permitLlm(home.app, "operate"), "config:house", "team:dancing");
    expect(await listedBy(client)).not.toContain("team/dancing");
    await expect(client.readResource({ uri: "skill://team/dancing/SKILL.md" })).rejects.toMatchObject({ code: -32602 });
  });

  test("RV-12: a configuration that is gone has nothing to show", async () => {
    await home.configure("gone");
    await attach(permitLlm(home.app, "operate"), "config:gone", "team:spare");
    const client = await home.connect(await home.key(["gone", "house"]), eras[era]);
    expect(await listedBy(client)).toEqual(["team/counting", "team/spare", "team/writing"]);
    await removeConfiguration(permitLlm(home.app, "operate"), "gone");
    expect(await listedBy(client)).toEqual(["team/counting", "team/writing"]);
  });

  test("RV-12: once its key is revoked nothing is answered any more", async () => {
    const { text, record } = await addApiKey(home.app, { name: `revoked-${era}`, role: "reader" });
    const client = await home.connect(text, eras[era]);
    expect(await listedBy(client)).not.toEqual([]);
    await revokeKey(home.app.accounts, allow(ada), record.id);
    await expect(listedBy(client)).rejects.toThrow("a valid API key is needed");
    await expect(client.readResource({ uri: "skill://team/spare/SKILL.md" })).rejects.toThrow("API key is needed");
  });
});

describe.each(bothEras)("SV-5, RV-10: a new generation, %s", (era) => {
  async function listening(key: string) {
    let told = 0;
    const onChanged = () => void told++;
    const options = { ...eras[era], listChanged: { resources: { onChanged, autoRefresh: false, debounceMs: 1 } } };
    const client = await home.connect(key, options);
    return { client, told: () => told };
  }

  test("RV-10: is told to those for whom it makes a difference, whoever made it, and to nobody else", async () => {
    const everything = await listening(await home.key());
    const house = await listening(await home.key(["house"]));
    const beside = await home.folder.open();

    // Nothing that hosts read has changed.
    await home.key();
    await changeConfiguration(permitLlm(beside, "operate"), "house", { systemPrompt: `Be ${era}.` });
    await say(beside, ada, "disable", "team:dancing");
    await until(() => everything.told() === 1);
    await say(beside, ada, "approve", "team:dancing");
    await until(() => everything.told() === 2);
    expect(house.told()).toBe(0);

    await attach(permitLlm(beside, "operate"), "config:house", "team:spare");
    await until(() => house.told() === 1);
    expect(await listedBy(house.client)).toContain("team/spare");
    await detach(permitLlm(beside, "operate"), "config:house", "team:spare");
    await until(() => house.told() === 2);
    expect(everything.told()).toBe(2);
    await home.folder.close(beside);
  });
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const accept = { accept: "application/json, text/event-stream" };

/** How many sessions there are, as the figures of the server say. */
async function sessions(): Promise<number> {
  const { text } = await call(home, "/metrics", { key: await home.key() });
  return Number(/^skillward_mcp_sessions (\d+)$/m.exec(text)?.[1] ?? 0);
}

describe("RV-12: the stream of a key that was revoked ends", () => {
  test("RV-12: in a session, 2025-11-25", async () => {
    const { text: key, record } = await addApiKey(home.app, { name: "streaming", role: "reader" });
    const opened = await call(home, "/mcp", { key, headers: accept, json: initialize });
    const headers = {
      ...accept,
      authorization: `Bearer ${key}`,
      "mcp-session-id": String(opened.headers["mcp-session-id"]),
    };
    const stream = await fetch(`${home.url}/mcp`, { headers });
    expect(stream.status).toBe(200);
    const [before, text] = [await sessions(), stream.text()];
    await revokeKey(home.app.accounts, allow(ada), record.id);
    expect(await text).toBe("");
    expect(await sessions()).toBe(before - 1);
  });

  test("RV-12: without one, 2026-07-28", async () => {
    const { text, record } = await addApiKey(home.app, { name: "listening", role: "reader" });
    const client = await home.connect(text, eras["2026-07-28"]);
    const { closed } = await client.listen({ resourcesListChanged: true });
    await revokeKey(home.app.accounts, allow(ada), record.id);
    expect(await closed).toBe("graceful");
  });
});

describe("T36, T41: sessions", () => {
  test("T36: under a foreign name, with or without an origin, nothing is answered and no session is made", async () => {
    const [key, before] = [await home.key(), await sessions()];
    const foreign = [
      { host: "evil.example" },
      { host: `evil.example:${home.port}` },
      { host: "localhost:1" },
      { origin: "http://evil.example" },
      { origin: "null" },
    ];
    for (const headers of foreign)
      for (const [method, json] of [["POST", initialize], ["GET"], ["DELETE"]] as const) {
        const reply = await call(home, "/mcp", {
          method,
          key,
          headers: { ...accept, ...headers },
          ...(json && { json }),
        });
        expect([headers, method, reply.status, reply.headers["mcp-session-id"]]).toEqual([
          headers,
          method,
          421,
          undefined,
        ]);
      }
    expect(await sessions()).toBe(before);
    expect((await call(home, "/mcp", { key, headers: accept, json: initialize })).status).toBe(200);
    expect(await sessions()).toBe(before + 1);
  });

  test("T36: a key is needed, on loopback too", async () => {
    const before = await sessions();
    for (const key of [undefined, "swk_nobody"]) {
      const reply = await call(home, "/mcp", { ...(key && { key }), headers: accept, json: initialize });
      expect([reply.status, reply.headers["mcp-session-id"]]).toEqual([401, undefined]);
    }
    expect(await sessions()).toBe(before);
  });

  test("T36: a session is its key's alone, also where both keys are one user's", async () => {
    await addUser(home.app.accounts, allow(ada), {
      name: "carol",
      role: "reader",
      password: "correct horse battery staple",
    });
    const keyOf = async (name: string) => (await addApiKey(home.app, { name, role: "reader", user: "carol" })).text;
    const [mine, other] = [await keyOf("mine"), await keyOf("other")];
    const opened = await call(home, "/mcp", { key: mine, headers: accept, json: initialize });
    const id = String(opened.headers["mcp-session-id"]);
    const json = { jsonrpc: "2.0", id: 2, method: "skills/list", params: {} };
    const inIt = { ...accept, "mcp-session-id": id };
    expect((await call(home, "/mcp", { key: mine, headers: inIt, json })).text).toContain("team/writing");
    for (const [method, body] of [
      ["POST", { json }],
      ["GET", {}],
      ["DELETE", {}],
    ] as const) {
      const reply = await call(home, "/mcp", { method, key: other, headers: inIt, ...body });
      const unknown = await call(home, "/mcp", {
        method,
        key: other,
        headers: { ...inIt, "mcp-session-id": "0" },
        ...body,
      });
      expect([reply.status, reply.text]).toEqual([404, unknown.text]);
      expect(reply.text).not.toContain("team/writing");
    }
    // And it was not ended by somebody else.
    expect((await call(home, "/mcp", { key: mine, headers: inIt, json })).status).toBe(200);
    expect((await call(home, "/mcp", { method: "DELETE", key: mine, headers: inIt })).status).toBe(200);
    expect((await call(home, "/mcp", { key: mine, headers: inIt, json })).status).toBe(404);
  });

  test("T41: many messages in one, bodies that are no JSON, of another kind or too large are refused", async () => {
    const key = await home.key();
    const list = { jsonrpc: "2.0", id: 1, method: "skills/list" };
    const opened = await call(home, "/mcp", { key, headers: accept, json: initialize });
    const inIt = { ...accept, "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const refused = [
      [400, { json: [list, list], headers: inIt }],
      [400, { body: "{", headers: { ...accept, "content-type": "application/json" } }],
      [415, { body: JSON.stringify(initialize), headers: { ...accept, "content-type": "text/plain" } }],
      [413, { json: { ...initialize, padding: "x".repeat(2 ** 20) } }],
      [400, { json: list }],
      [406, { json: initialize, headers: { accept: "text/html" } }],
    ] as const;
    const before = await sessions();
    for (const [status, asked] of refused)
      expect((await call(home, "/mcp", { key, headers: accept, ...asked })).status).toBe(status);
    expect(await sessions()).toBe(before);
  });

  test("SV-5: an id that is being answered is refused, so that none of the two waits for ever; afterwards it is free", async () => {
    const key = await home.key();
    const opened = await call(home, "/mcp", { key, headers: accept, json: initialize });
    const headers = { ...accept, "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const ask = () => call(home, "/mcp", { key, headers, json: { jsonrpc: "2.0", id: 7, method: "skills/list" } });
    const { registry } = home.app;
    const look = vi.spyOn(registry, "look");
    const open = new Promise<() => void>((reached) => {
      look.mockImplementationOnce(async () => {
        await new Promise<void>((resolve) => reached(resolve));
        return registry.look();
      });
    });
    const first = ask();
    const letGo = await open;
    const second = await ask();
    expect([second.status, second.json().error.message]).toEqual([
      400,
      "id: a request with the same one is being answered",
    ]);
    letGo();
    expect((await first).text).toContain("team/writing");
    expect((await ask()).text).toContain("team/writing");
    look.mockRestore();
  });

  test("T41: the session that was unused for longest gives way when a principal has too many", async () => {
    const key = await home.key();
    const opened: string[] = [];
    for (let count = 0; count < 33; count++) {
      const reply = await call(home, "/mcp", { key, headers: accept, json: initialize });
      opened.push(String(reply.headers["mcp-session-id"]));
    }
    expect(new Set(opened).size).toBe(33);
    const ask = async (id: string) =>
      (
        await call(home, "/mcp", {
          key,
          headers: { ...accept, "mcp-session-id": id },
          json: { jsonrpc: "2.0", id: 2, method: "ping" },
        })
      ).status;
    expect(await Promise.all([opened[0], opened[1], opened[32]].map((id) => ask(id ?? "")))).toEqual([404, 200, 200]);
  });
});

async function answersTo(asking: Promise<unknown>): Promise<boolean> {
  return asking.then(
    () => true,
    () => false,
  );
}
