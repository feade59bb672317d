import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, describe, it, onTestFinished } from "vitest";
import { agentOfConfiguration, agentOfProvider, type StoredAgent } from "../../src/features/agent/stored-agent.ts";
import { whereUsed } from "../../src/features/audit/where.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import type { Rule } from "../../src/models/scripted-rules.ts";
import { eventsOf, replyOf, roomWith, skillMd, typed } from "./agent-room.ts";
import { type GatewayHome, gatewayHome, upstreamSecret } from "../support/gateway-home.ts";
import { ada, approveAnyway, currentOf, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

async function storedIn({ app }: GatewayHome, configuration = "house"): Promise<StoredAgent> {
  const stored = await agentOfConfiguration(app, configuration);
  onTestFinished(() => stored.close());
  return stored;
}

describe("AG-8: an agent of a configuration, with a real service behind it", () => {
  it.each(["house", "claude"])(
    "streams, with the approved skills in the prompt, which is written down (%s)",
    async (id) => {
      const home = await gatewayHome();
      const stored = await storedIn(home, id);
      const room = await roomWith();
      home.upstream.next({ text: "Good morning to you." });
      const agent = await room.open([], { model: stored.model, stored });
      const events = await eventsOf(agent, "Hello.");
      expect(
        typed(events, "text")
          .map(({ text }) => text)
          .join(""),
      ).toBe("Good morning to you.");
      expect(typed(events, "turn.ended")[0]?.end).toBe("finished");
      const [request] = home.upstream.requests;
      expect(request?.text).toContain("Write plainly.");
      expect(request?.text).toContain("Draw boldly.");
      await agent.close();
      await stored.close();
      const uses = await whereUsed(home.app, {
        digest: await currentOf(home.app, "skills:writing"),
        each: true,
        limit: 10,
      });
      expect(uses.uses.map((use) => use.event)).toEqual(["injected"]);
    },
  );

  it("survives 500, a reset in mid-stream and a secret that comes back", async () => {
    const home = await gatewayHome();
    const stored = await storedIn(home);
    const room = await roomWith();
    const agent = await room.open([], { model: stored.model, stored });
    home.upstream.next({ status: 500 });
    home.upstream.next({ text: "This breaks off in the middle of it.", resetAfter: 2 });
    home.upstream.next({ text: "Fine.", echoSecret: true });
    const ends = [];
    const all = [];
    for (const line of ["One.", "Two.", "Three."]) {
      const events = await eventsOf(agent, line);
      all.push(...events);
      ends.push(...typed(events, "turn.ended").map(({ end }) => end));
    }
    expect(ends).toEqual(["failed", "failed", "finished"]);
    expect(JSON.stringify(all)).not.toContain(upstreamSecret);
    const sent = home.upstream.requests.at(-1)?.text ?? "";
    for (const line of ["One.", "Two.", "Three."]) expect(sent).toContain(line);
  });

  it("SC-7: a call that the scope of an approved skill denies is in the usage of it", async () => {
    const home = await gatewayHome({ skills: { guard: "Look, and change nothing.\n" } });
    home.folder.write("skills/guard/scope.yaml", "allowed_tools: [read]\nexecution_protocol: [look]\n");
    await runSync(home.app.sync, allow(ada), "skills");
    await approveAnyway(home.app, ada, "skills:guard");
    const stored = await storedIn(home);
    const room = await roomWith();
    const rules: Rule[] = [
      { turn: 1, calls: [{ tool: "write", input: { path: "x", content: "y" } }] },
      { reply: "No." },
    ];
    const agent = await room.open(rules, { stored });
    expect(replyOf(await eventsOf(agent, "/skills"))).toContain("/skills:guard");
    // What is attached is in every prompt, and so in force from the beginning.
    expect(agent.state.held).toEqual(["guard"]);
    const events = await eventsOf(agent, "/skills:guard");
    expect(typed(events, "tool.denied").map(({ tool }) => tool)).toEqual(["write"]);
    await agent.close();
    await stored.close();
    const digest = await currentOf(home.app, "skills:guard");
    const { uses } = await whereUsed(home.app, { digest, each: true, limit: 20 });
    expect(uses).toContainEqual(expect.objectContaining({ event: "denied", tool: "write", configuration: "house" }));
  });

  it("SC-7, CO-10: what is approved or taken back meanwhile counts in the very next call", async () => {
    const home = await gatewayHome({ skills: { guard: "Look, and change nothing.\n" } });
    const stored = await storedIn(home);
    const room = await roomWith();
    const script: Rule[] = [
      { when: "Go", calls: [{ tool: "write", input: { path: "x", content: "y" } }] },
      { when: "Run", calls: [{ tool: "shell", input: { command: "touch made" } }] },
      { reply: "." },
    ];
    const agent = await room.open(script, { stored });
    await eventsOf(agent, "/skills:guard");
    home.folder.write("skills/guard/scope.yaml", "allowed_tools: [read, shell]\nexecution_protocol: [look]\n");
    home.folder.write("skills/guard/SKILL.md", skillMd("guard", "G.", "Look.", "allowed-tools: Bash(touch:*)\n"));
    await runSync(home.app.sync, allow(ada), "skills");
    await say(home.app, ada, "approve", "skills:guard");
    // Not loaded anew: the scope is of the bytes that are in the prompt.
    expect(typed(await eventsOf(agent, "Go."), "tool.denied").map(({ tool }) => tool)).toEqual(["write"]);
    await eventsOf(agent, "/skills reload");
    await eventsOf(agent, "/skills:guard Run");
    expect(await readdir(room.workspace)).toEqual(["made"]);
    await rm(join(room.workspace, "made"));
    await say(home.app, ada, "disable", "skills:guard");
    const events = await eventsOf(agent, "Run it again.");
    expect(typed(events, "tool.denied").map(({ tool }) => tool)).toEqual(["shell"]);
    expect(await readdir(room.workspace)).toEqual([]);
  });

  it("a model of a provider needs no configuration, and one that its list does not have is refused", async () => {
    const home = await gatewayHome({ models: ["test-model"] });
    const stored = await agentOfProvider(home.app, "openai/test-model");
    onTestFinished(() => stored.close());
    const room = await roomWith();
    home.upstream.next({ text: "Yes?" });
    const agent = await room.open([], { model: stored.model, stored });
    expect(typed(await eventsOf(agent, "Hello."), "turn.ended")[0]?.end).toBe("finished");
    expect(home.upstream.requests[0]?.text).not.toContain("Write plainly.");
    await expect(agentOfProvider(home.app, "openai/large")).rejects.toMatchObject({ code: "model.refused" });
    await expect(agentOfProvider(home.app, "nobody/test-model")).rejects.toMatchObject({ code: "record.missing" });
  });
});
