import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import { AppError } from "../../src/core/error.ts";
import type { Tool } from "../../src/agent/tool.ts";
import { eventsOf, replyOf, roomWith, skillMd, typed } from "./agent-room.ts";

describe("AG-8: a conversation survives", () => {
  const failures = [
    { name: "429", fail: { status: 429, message: "slow down" }, code: "upstream.invalid", told: "" },
    { name: "500", fail: { status: 500 }, code: "upstream.invalid", told: "" },
    { name: "a secret that is refused", fail: { status: 401 }, code: "upstream.refused", told: "" },
    { name: "a reset in mid-stream", fail: { after: 9 }, code: "upstream.unreachable", told: "I begin t" },
  ] as const;

  it.each(failures)("$name of the model's service", async ({ fail, code, told }) => {
    const room = await roomWith();
    const agent = await room.open([
      { when: "First", reply: "Hello." },
      { when: "Third", reply: "Here I am." },
      { when: "Again", reply: "I begin to answer.", fail },
    ]);
    await eventsOf(agent, "First.");
    const failed = await eventsOf(agent, "Again.");
    expect(typed(failed, "model.failed").map((event) => event.code)).toEqual([code]);
    expect(
      typed(failed, "text")
        .map(({ text }) => text)
        .join(""),
    ).toBe(told);
    expect(typed(failed, "turn.ended")).toEqual([{ type: "turn.ended", end: "failed" }]);
    const after = await eventsOf(agent, "Third.");
    expect(typed(after, "turn.ended")).toEqual([{ type: "turn.ended", end: "finished" }]);
    // What was asked is not lost, and nothing of the answer that broke off is taken for one.
    expect(room.usersOf(-1)).toEqual(["First.", "Again.\n\nThird."]);
    expect(room.allOf(-1)).not.toContain("I begin");
  });

  it("tool arguments that are no JSON, or not what the tool takes", async () => {
    const room = await roomWith({ "notes.txt": "one\n" });
    const agent = await room.open([
      {
        turn: 1,
        calls: [
          { tool: "read", input: "{not json" },
          { tool: "read", input: { path: 7 } },
        ],
      },
      { turn: 2, calls: [{ tool: "read", input: { path: "notes.txt" } }] },
      { reply: "Done." },
    ]);
    const events = await eventsOf(agent, "Read.");
    expect(typed(events, "tool.ended").map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(typed(events, "turn.ended")[0]?.end).toBe("finished");
  });

  it("a tool that hangs: it is ended, and the model goes on", async () => {
    const room = await roomWith();
    let letGo = () => {};
    const hang: Tool = {
      name: "hang",
      description: "Ends when nobody waits for it any more.",
      inputSchema: { type: "object" },
      run: () => new Promise((resolve) => (letGo = () => resolve("too late"))),
    };
    const agent = await room.open([{ turn: 1, calls: [{ tool: "hang" }] }, { reply: "Went on." }], {
      tools: [hang],
      limits: { toolMilliseconds: 50 },
    });
    const events = await eventsOf(agent, "Hang.");
    expect(typed(events, "tool.ended")[0]).toMatchObject({ isError: true });
    expect(typed(events, "text").at(-1)?.text).toBe("Went on.");
    letGo();
  });

  it("cancelling in the middle of a tool: the next turn is one that services accept", async () => {
    const room = await roomWith();
    const cancelling = new AbortController();
    let letGo = () => {};
    const hang: Tool = {
      name: "hang",
      description: "Ends when nobody waits for it any more.",
      inputSchema: { type: "object" },
      run: () => {
        cancelling.abort();
        return new Promise((resolve) => (letGo = () => resolve("too late")));
      },
    };
    const agent = await room.open([{ turn: 1, calls: [{ tool: "hang" }, { tool: "hang" }] }, { reply: "Fine." }], {
      tools: [hang],
    });
    const events = await eventsOf(agent, "Hang.", cancelling.signal);
    expect(typed(events, "turn.ended")).toEqual([{ type: "turn.ended", end: "cancelled" }]);
    await eventsOf(agent, "And now?");
    const sent = room.asked.at(-1)?.messages ?? [];
    const wanted = sent.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
    const answers = sent.filter((message) => message.role === "tool");
    expect(answers.map((message) => message.role === "tool" && message.id)).toEqual(wanted.map(({ id }) => id));
    letGo();
  });

  it("a disk that is full while it saves: it goes on, and is kept as a whole once there is room", async () => {
    const room = await roomWith();
    const world = createWorld();
    let isFull = true;
    const files = {
      ...world.files,
      writePrivate: (path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>) =>
        isFull
          ? Promise.reject(new AppError("disk.failed", "no space left on the disk"))
          : world.files.writePrivate(path, bytes),
    };
    const agent = await room.open([{ reply: "Hello." }], {}, { ...world, files });
    const first = await eventsOf(agent, "One.");
    const second = await eventsOf(agent, "Two.");
    expect(typed(first, "finding").map(({ finding }) => finding.code)).toEqual(["agent.save-failed"]);
    expect(typed(second, "finding")).toEqual([]);
    expect(typed(second, "turn.ended")[0]?.end).toBe("finished");
    isFull = false;
    await eventsOf(agent, "Three.");
    const folder = join(room.home, ".local/share/skillward/conversations");
    const [file = ""] = await readdir(folder);
    const kept = await readFile(join(folder, file), "utf8");
    for (const said of ["One.", "Two.", "Three."]) expect(kept).toContain(said);
  });

  it("leaving: it is resumed with all that was said, and with the scope that it was held under", async () => {
    const scope = "allowed_tools: [read]\nexecution_protocol: [look]\n";
    const files = {
      ".agents/skills/guard/SKILL.md": skillMd("guard", "Guards.", "Look only."),
      ".agents/skills/guard/scope.yaml": scope,
    };
    const room = await roomWith(files);
    const first = await room.open([{ reply: "Looked." }]);
    await eventsOf(first, "/skills:guard");
    await first.close();
    const second = await room.open(
      [{ turn: 2, calls: [{ tool: "shell", input: { command: "touch x" } }] }, { reply: "." }],
      {
        resume: true,
        allow: ["shell"],
      },
    );
    expect(second.state).toMatchObject({ held: ["guard"], messages: 2 });
    const events = await eventsOf(second, "Go on.");
    expect(typed(events, "tool.denied").map(({ tool }) => tool)).toEqual(["shell"]);
    expect(room.usersOf(-1)[0]).toContain("Look only.");
    await second.close();
    await room.write(".agents/skills/guard/SKILL.md", skillMd("guard", "Guards.", "Other words."));
    const third = await room.open([{ reply: "." }], { resume: true, allow: ["shell"] });
    expect(third.findings.map(({ code }) => code)).toContain("agent.held-lost");
    expect(replyOf(await eventsOf(third, "/tools"))).not.toMatch(/allowed/);
    await eventsOf(third, "/scope clear");
    await eventsOf(third, "Go on.");
    expect(room.asked.at(-1)?.tools.map(({ name }) => name)).toContain("shell");
    expect(await readdir(room.workspace)).toEqual([".agents"]);
  });
});
