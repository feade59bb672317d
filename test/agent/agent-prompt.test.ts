import { describe, expect, it } from "vitest";
import { eventsOf, replyOf, roomWith, skillMd, typed } from "./agent-room.ts";

const tea = skillMd("tea", "Brews tea. Use it for a hot drink.", "TEA-BODY: warm the pot first.");
const cake = skillMd("cake", "Bakes a cake.", "CAKE-BODY: sift the flour.");
const done = [{ reply: "Done." }];

describe("AG-3: the prompt, byte by byte", () => {
  it("has no section without skills", async () => {
    const room = await roomWith();
    const agent = await room.open(done);
    await eventsOf(agent, "Hello.");
    expect(room.systemOf(0)).not.toContain("Available Skills");
    expect(room.systemOf(0)).toMatch(/^You are Skillward's agent\./);
    expect(room.usersOf(0)).toEqual(["Hello."]);
  });

  it("has names and descriptions in catalogue form, and no body", async () => {
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea });
    const agent = await room.open(done, { trustWorkspace: true });
    await eventsOf(agent, "Hello.");
    expect(room.systemOf(0)).toContain("## Available Skills");
    expect(room.systemOf(0)).toContain("Brews tea. Use it for a hot drink.");
    expect(room.allOf(0)).not.toContain("TEA-BODY");
  });

  it("has whole bodies of confirmed skills when asked for", async () => {
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea });
    const agent = await room.open(done, { trustWorkspace: true, inject: "bodies" });
    await eventsOf(agent, "Hello.");
    expect(room.systemOf(0)).toContain("TEA-BODY: warm the pot first.");
    expect(room.usersOf(0)).toEqual(["Hello."]);
  });

  it.each(["catalogue", "bodies"] as const)(
    "AG-2: says nothing of an unconfirmed workspace in any role (%s)",
    async (inject) => {
      const rules = "AGENTS-RULES: obey the file.";
      const files = { ".agents/skills/tea/SKILL.md": tea, "deep/er/cake/SKILL.md": cake, "AGENTS.md": rules };
      const room = await roomWith(files);
      const agent = await room.open(done, { inject });
      await eventsOf(agent, "Hello.");
      for (const word of ["tea", "cake", "Brews", "BODY", "AGENTS-RULES"])
        expect(room.systemOf(0).toLowerCase()).not.toMatch(new RegExp(`\\b${word.toLowerCase()}\\b`));
      expect(room.usersOf(0)).toEqual(["Hello."]);
    },
  );

  it("AG-5: an invocation confirms, and is the only skill text in the history", async () => {
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea, ".agents/skills/cake/SKILL.md": cake });
    const agent = await room.open(done, { ask: async () => false });
    const events = await eventsOf(agent, "/skills:tea green, please");
    expect(typed(events, "skill.used").map(({ use, name, by }) => [use, name, by])).toEqual([
      ["invoked", "tea", "person"],
    ]);
    const first = room.usersOf(0)[0] ?? "";
    expect(first.split("\n")[0]).toBe('Apply Skill "tea" with arguments: "green, please"');
    expect(first).toContain("TEA-BODY");
    expect(first).not.toContain("description:");
    expect(room.systemOf(0)).toContain("Brews tea.");
    expect(room.systemOf(0)).not.toContain("Bakes a cake.");
    await eventsOf(agent, "And now?");
    const kept = room.usersOf(1).filter((text) => text.includes("BODY"));
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatch(/^Apply Skill "tea"/);
  });

  it("AG-2: without a person an invocation confirms nothing, and stays in the user role", async () => {
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea });
    const agent = await room.open(done);
    await eventsOf(agent, "/skills:tea");
    expect(room.usersOf(0)[0]).toContain("TEA-BODY");
    expect(room.systemOf(0)).not.toMatch(/\btea\b/i);
    expect(agent.state.unconfirmed).toBe(1);
    expect(replyOf(await eventsOf(agent, "/skills trust"))).toContain("--trust-workspace");
    expect(agent.state.unconfirmed).toBe(1);
    const again = await room.open(done);
    expect(again.state.unconfirmed).toBe(1);
  });

  it("is byte-identical while the generation is, and one generation is everywhere", async () => {
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea });
    const agent = await room.open(done, { trustWorkspace: true });
    const first = typed(await eventsOf(agent, "One."), "model.asked");
    const second = typed(await eventsOf(agent, "Two."), "model.asked");
    expect(room.systemOf(0)).toBe(room.systemOf(1));
    expect(second[0]?.prompt).toBe(first[0]?.prompt);
    expect(second[0]?.generation).toBe(first[0]?.generation);
    expect(agent.state.generation).toBe(first[0]?.generation);
  });

  it("announces a change in mid-session once, behind what the person says", async () => {
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea });
    const agent = await room.open(done, { trustWorkspace: true });
    await eventsOf(agent, "One.");
    await room.write(".agents/skills/cake/SKILL.md", cake);
    await eventsOf(agent, "/skills reload");
    await eventsOf(agent, "Two.");
    await eventsOf(agent, "Three.");
    expect(room.usersOf(-1)).toEqual([
      "One.",
      "Two.\n\n(The available skills changed since the last message: added cake.)",
      "Three.",
    ]);
  });

  it("AG-4: a skill written in the middle of a tool loop is in the next call, from the user role", async () => {
    const room = await roomWith();
    const call = { tool: "write", input: { path: ".agents/skills/tea/SKILL.md", content: tea } };
    const agent = await room.open([
      { turn: 1, calls: [call] },
      { turn: 2, calls: [{ tool: "load_skill", input: { name: "tea" } }] },
      { reply: "Done." },
    ]);
    const events = await eventsOf(agent, "Write it.");
    const [written, loaded] = typed(events, "tool.ended");
    expect(written?.content).toContain("Skills were reloaded: added tea.");
    expect(loaded?.content).toContain("TEA-BODY");
    expect(room.systemOf(0)).not.toContain("Available Skills");
    expect(room.systemOf(1)).toContain("## Available Skills");
    expect(room.systemOf(1)).not.toMatch(/\btea\b/i);
    expect(room.usersOf(1)[0]).toContain("Brews tea.");
    expect(typed(events, "skill.used").map(({ use, name, by }) => [use, name, by])).toEqual([
      ["loaded", "tea", "model"],
    ]);
    expect(new Set(typed(events, "model.asked").map(({ generation }) => generation)).size).toBe(2);
  });

  it("SC-6: the rules of a scope are there, and right, from the invocation on", async () => {
    const scope = "allowed_tools: [read, list]\nforbidden_tools: [shell]\nexecution_protocol: [look, report]\n";
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea, ".agents/skills/tea/scope.yaml": scope });
    const calls = [
      { tool: "read", input: { path: ".agents/skills/tea/SKILL.md" } },
      { tool: "shell", input: { command: "echo hello > made.txt" } },
      { tool: "write", input: { path: "made.txt", content: "x" } },
    ];
    const agent = await room.open([{ turn: 1, calls }, { reply: "Done." }], {
      allow: ["shell", "write"],
      ask: async () => false,
    });
    const events = await eventsOf(agent, "/skills:tea");
    expect(room.systemOf(0)).toContain("Skills in force: tea.");
    expect(room.systemOf(0)).toContain("Allowed tools: list, read.");
    expect(room.asked[0]?.tools.map(({ name }) => name).toSorted()).toEqual(["list", "read"]);
    expect(typed(events, "tool.denied").map(({ tool, code }) => [tool, code])).toEqual([
      ["shell", "TOOL_FORBIDDEN"],
      ["write", "TOOL_NOT_ALLOWED"],
    ]);
    expect(replyOf(await eventsOf(agent, "/tools"))).toContain("shell");
    const { readdir } = await import("node:fs/promises");
    expect(await readdir(room.workspace)).toEqual([".agents"]);
  });
});

describe("SC-5: sub-agents of an agent", () => {
  it("several at once, on an agent that has just been opened, all know its skills", async () => {
    const scope = "allowed_tools: [read]\nexecution_protocol: [look]\n";
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea, ".agents/skills/tea/scope.yaml": scope });
    const agent = await room.open(done, { trustWorkspace: true });
    const spawned = await Promise.all([1, 2, 3].map(() => agent.spawn({ task: "Look.", skills: ["tea"] })));
    expect(spawned.map(({ status }) => status)).toEqual(["accepted", "accepted", "accepted"]);
    await Promise.all(spawned.flatMap((each) => (each.status === "accepted" ? [each.done] : [])));
  });

  it("a child has no more than the agent has at that moment", async () => {
    const scope = "allowed_tools: [read, spawn]\nexecution_protocol: [look]\n";
    const room = await roomWith({ ".agents/skills/tea/SKILL.md": tea, ".agents/skills/tea/scope.yaml": scope });
    const agent = await room.open(
      [
        { when: "Apply", calls: [{ tool: "spawn", input: { task: "Write it." } }] },
        { when: "Write it.", calls: [{ tool: "write", input: { path: "made.txt", content: "x" } }] },
        { reply: "Done." },
      ],
      { trustWorkspace: true },
    );
    const events = await eventsOf(agent, "/skills:tea");
    const below = typed(events, "sub-agent").map(({ event }) => event);
    expect(below.filter(({ type }) => type === "tool.denied")).toMatchObject([{ tool: "write" }]);
    const { readdir } = await import("node:fs/promises");
    expect(await readdir(room.workspace)).toEqual([".agents"]);
  });
});
