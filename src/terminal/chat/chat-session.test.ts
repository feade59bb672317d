import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answered, ended } from "../../../test/agent/chat-agent.ts";
import { chatRoom } from "../../../test/support/chat-room.ts";
import type { AgentEvent } from "../../agent/agent-event.ts";
import type { CallAsked } from "../../agent/loop/caller.ts";

const enter = "\r";

function asked(command: string, signal = new AbortController().signal): CallAsked {
  return { id: "primary", tool: "shell", input: { command }, why: "commands are asked for", signal };
}

/** A room with a turn that lasts until it is cancelled, or ended here. */
async function working(options: Parameters<typeof chatRoom>[1] = {}) {
  const over = new AbortController();
  const room = chatRoom(async function* (_line, signal) {
    const either = AbortSignal.any([signal, over.signal]);
    await new Promise((resolve) => either.addEventListener("abort", resolve));
    yield { type: "turn.ended", end: signal.aborted ? "cancelled" : "finished" };
  }, options);
  await room.type("go", enter);
  return { ...room, end: () => over.abort() };
}

describe("AG-10: what is seen of a turn", () => {
  test("calls are folded, denials say why, text and calls are apart", async () => {
    const room = chatRoom(() => [
      { type: "text", text: "I look." },
      { type: "tool.started", call: "1", tool: "read", input: '{"path":"src/a.ts"}' },
      { type: "tool.ended", call: "1", tool: "read", content: "a\nb", isError: false },
      { type: "tool.started", call: "2", tool: "read", input: "not json" },
      { type: "tool.ended", call: "2", tool: "read", content: "no such file\nat all", isError: true },
      {
        type: "sub-agent",
        event: {
          type: "spawn.started",
          id: "s",
          parent: "primary",
          agent: "tester",
          depth: 1,
          skills: ["x"],
          findings: [],
        },
      },
      { type: "sub-agent", event: { type: "tool.started", id: "s", tool: "read" } },
      { type: "sub-agent", event: { type: "tool.ended", id: "s", tool: "read", isError: false } },
      {
        type: "sub-agent",
        event: { type: "tool.denied", id: "s", tool: "shell", code: "TOOL_FORBIDDEN", why: "not its tool" },
      },
      { type: "sub-agent", event: { type: "spawn.ended", id: "s", end: "finished", findings: [] } },
      ...answered("Done."),
    ]);
    await room.type("go", enter);
    expect(room.lines().slice(3, -2)).toEqual([
      "› go",
      "I look.",
      "✓ read src/a.ts · 2 lines",
      "✗ read not json · no such file",
      "  ⊘ tester (x): shell · not its tool",
      "  ✓ tester (x) · 1 call · finished",
      "Done.",
    ]);
  });

  test("an answer without a word is told; one with calls, a command and a cancelled turn are not", async () => {
    const silent: AgentEvent = { type: "model.answered", text: "", calls: 0, tokens: { input: null, output: null } };
    const room = chatRoom((line) => {
      if (line === "nothing") return [{ type: "text", text: " \n" }, silent, ended];
      if (line === "calls") return [{ ...silent, calls: 1 }, silent, ended];
      if (line === "cancelled") return [silent, { type: "turn.ended", end: "cancelled" }];
      return [ended];
    });
    for (const line of ["nothing", "calls", "cancelled", "/command"]) await room.type(line, enter);
    expect(room.text().match(/\(the model said nothing\)/g)).toHaveLength(1);
    expect(room.lines()).toEqual(expect.arrayContaining(["› nothing", "(the model said nothing)"]));
  });

  test("while it runs there is one live line, and nothing of it stays", async () => {
    const room = await working();
    const before = room.text();
    for (const tick of room.ticks) tick();
    await room.shown();
    expect(room.text()).not.toBe(before);
    expect(room.text().match(/working…/g)).toHaveLength(1);
    await room.type("\u0003");
    expect(room.text()).not.toContain("working…");
    expect(room.ticks.size).toBe(0);
  });

  test("what happens between turns stands above what is being typed", async () => {
    const room = chatRoom(() => [ended]);
    await room.type("half a li");
    const change = { generation: 5, added: ["a"], changed: ["b"], removed: ["c"], confirmed: [], findings: [] };
    room.tell({ type: "skills.changed", change, why: "watched" });
    await room.type("ne");
    expect(room.lines().slice(-3, -1)).toEqual(["skills: +a ~b -c (generation 5)", "› half a line"]);
    expect(room.cursor().column).toBe(13);
  });

  test("T34: whatever is said, by whom, in whatever pieces, the terminal gets only what we mean", async () => {
    const hostile = fc.array(
      fc.constantFrom(
        "\u001b",
        "[2J",
        "]0;x\u0007",
        "\u009b31m",
        "\r",
        "\n",
        "\u0008",
        "\u202e",
        "\u200b",
        "a",
        "日",
        "\u0301",
        "\ud83d",
        "\ude00",
        "\u{e0041}",
      ),
      { maxLength: 12 },
    );
    const text = hostile.map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const room = chatRoom(() => eventsOf(one, other), {
          items: [
            { text: `/${one}`, about: other },
            { text: `/${other}x`, about: one },
          ],
        });
        await room.type("go", enter, `\u001b[200~${one}\u001b[201~`, "\u0015/", "\t");
        room.hangUp();
        await room.over;
        const left = room.written.join("").replace(ours, "");
        expect(left).not.toMatch(/[^\P{C}]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      }),
      { numRuns: 25 },
    );
  });
});

/** All that is ever written apart from text. */
// oxlint-disable-next-line no-control-regex
const ours = /\u001b\[(?:\?(?:7|25|2004)[hl]|\d*[ABCJH]|[\d;]+m)|\r\n|\r/g;

function eventsOf(one: string, other: string): AgentEvent[] {
  const finding = { code: one, level: "high", message: other, at: { file: one, line: 2 }, excerpt: other } as const;
  return [
    { type: "text", text: one },
    { type: "text", text: other },
    { type: "tool.started", call: "1", tool: one, input: other },
    { type: "tool.denied", call: "1", tool: one, code: "TOOL_FORBIDDEN", why: other },
    { type: "tool.started", call: "2", tool: one, input: JSON.stringify({ path: other }) },
    { type: "tool.ended", call: "2", tool: other, content: one, isError: true },
    {
      type: "reply",
      command: "/x",
      reply: { title: one, rows: [{ name: other, about: one }], notes: [one], text: other, findings: [finding] },
    },
    {
      type: "sub-agent",
      event: { type: "spawn.refused", parent: one, status: "error", error: other, findings: [finding] },
    },
    {
      type: "skills.changed",
      why: "watched",
      change: { generation: 1, added: [one], changed: [other], removed: [], confirmed: [], findings: [] },
    },
    { type: "model.failed", code: "unknown", message: one },
    { type: "conversation", id: other, is: "new", messages: 0 },
    ended,
  ];
}

describe("AG-8: the prompt", () => {
  test("with Enter it is gone: none is drawn that would take no line", async () => {
    const room = await working();
    // The one before anything was typed.
    expect(room.written.filter((text) => text.includes("› \u001b[0m\r\n"))).toHaveLength(1);
  });

  test("Enter while a turn runs says why nothing is sent; the line stays, and the word about it goes with the turn", async () => {
    const room = await working();
    await room.type(enter);
    expect(room.text()).not.toContain("still working");
    await room.type("next", enter);
    expect(room.lines().slice(-2)).toEqual(["› next", "  still working: Enter again when it is done, Ctrl-C cancels"]);
    room.end();
    await room.shown();
    expect(room.said).toEqual(["go"]);
    expect(room.lines().slice(-2)).toEqual(["› next", expect.stringContaining("3 skills (")]);
  });

  test("what was entered can be fetched back, and whoever keeps it is told", async () => {
    const told: string[] = [];
    const room = chatRoom((line) => answered(line), { history: ["before"], onHistory: (line) => void told.push(line) });
    await room.type("one", enter, "one", enter, "  ", enter, "\u0015", "\u001b[A", "\u001b[A");
    expect(room.lines().at(-2)).toBe("› before");
    expect(told).toEqual(["one"]);
    expect(room.said).toEqual(["one", "one"]);
  });

  test("a backslash and Enter, Alt-Enter and a paste make lines; Enter sends them as one", async () => {
    const room = chatRoom(() => [ended]);
    await room.type("a\\", enter, "b", "\u001b\r", "\u001b[200~c\r\nd\u001b[201~", enter);
    expect(room.said).toEqual(["a\nb\nc\nd"]);
    expect(room.lines()).toEqual(expect.arrayContaining(["› a", "… b", "… c", "… d"]));
  });

  test("text without a slash completes nothing; Escape closes the menu", async () => {
    const items = [
      { text: "/a1", about: "one" },
      { text: "/a2", about: "two" },
    ];
    const room = chatRoom(() => [ended], { items });
    await room.type("a", "\t");
    expect(room.lines().at(-2)).toBe("› a");
    await room.type("\u0015", "/", "\t");
    expect(room.text()).toContain("two");
    await room.type("\u001b");
    await room.wait();
    expect(room.text()).not.toContain("two");
    expect(room.lines().at(-2)).toBe("› /a");
  });

  test("an open menu follows the skills: what is gone is not offered, what was chosen stays chosen", async () => {
    const items = ["/a1", "/a2", "/a3"].map((text) => ({ text, about: `about ${text}` }));
    const room = chatRoom(() => [ended], { items });
    const change = { generation: 5, added: [], changed: [], removed: [], confirmed: [], findings: [] };
    const tell = () => room.tell({ type: "skills.changed", change, why: "watched" });
    await room.type("/a", "\t", "\t", "\t", "\t");
    items.shift();
    tell();
    await room.shown();
    expect(room.text()).not.toContain("about /a1");
    expect(room.text()).toContain("▸ /a3");
    items.splice(0);
    tell();
    await room.type(enter);
    expect(room.text()).not.toContain("about");
    expect(room.said).toEqual(["/a"]);
  });

  test("a paste whose end never comes ends by itself, or with Ctrl-C", async () => {
    const room = chatRoom(() => [ended]);
    await room.type("\u001b[200~one\ntwo");
    await room.wait();
    expect(room.lines().slice(-3, -1)).toEqual(["› one", "… two"]);
    await room.type("\u0003", "\u001b[200~three");
    await room.type("\u0003");
    expect(room.lines().at(-2)).toBe("›");
    await room.type("\u0003", "\u0003");
    expect(await room.over).toBe("left");
  });

  test("Ctrl-D leaves on an empty line only; Ctrl-L clears the screen and keeps the line", async () => {
    const room = chatRoom(() => [ended]);
    await room.type("ab", "\u0001", "\u0004", "\u000c");
    expect(room.lines().at(-2)).toBe("› b");
    await room.type("\u0004", "\u0004");
    expect(await room.over).toBe("left");
    const { resize, interrupt, continued } = room.listeners;
    expect([resize.size, interrupt.size, continued.size, room.ticks.size]).toEqual([0, 0, 0, 0]);
    expect(room.raw).toEqual([true, false]);
  });
});

test("AG-10: while a window is drawn to another size, prompt, menu and status are there once and nothing above is lost", async () => {
  const items = ["/a1", "/a2"].map((text) => ({ text, about: "a word about it ".repeat(9) }));
  for (const keys of [[], ["half a line"], ["more than a row ".repeat(6)], ["/a", "\t"]]) {
    const room = chatRoom((line) => answered(`You said ${line}, and this is a row that the terminal wraps.`), {
      items,
    });
    await room.type("hello", enter, ...keys);
    const typed = /(?<=› )(?:half|more|\/a)/g;
    const sizes = [60, 55, 50, 46, 42, 60, 90, 100, 92, 84, 77].map((columns, at) => ({
      columns,
      rows: 20 - (at % 3),
    }));
    for (const size of sizes) {
      await room.resize(size);
      const rows = room.lines();
      expect(rows.filter((row) => row.startsWith("›"))).toHaveLength(2);
      expect(rows.filter((row) => /^ {2}(?:echo · )?3 skills \(/.test(row))).toHaveLength(keys.length === 2 ? 0 : 1);
      expect(room.text().match(typed) ?? []).toHaveLength(keys.length === 0 ? 0 : 1);
      expect(rows.join("")).toContain("You said hello, and this is a row that the terminal wraps.");
    }
  }
});

describe("AG-10: a process that was stopped", () => {
  const shell = "\u001b[?2004l\r\n[1]+  Stopped\r\n$ fg\r\nskillward chat\r\n";

  test("goes on with the keys and the line that it had, below what was written meanwhile", async () => {
    const room = chatRoom(() => [ended]);
    await room.type("first\\", enter, "second");
    room.written.splice(0);
    await room.goOn(shell);
    expect(room.raw).toEqual([true, false, true]);
    expect(room.written.join("")).toContain("\u001b[?2004h");
    expect(room.lines().slice(-3)).toEqual(["› first", "… second", expect.stringContaining("3 skills (")]);
    expect(room.lines().slice(0, 2).join()).toContain("Skillward  /home/ann/project");
    // Once more: nobody else wrote anything.
    const before = room.text();
    await room.goOn();
    expect(room.text()).toBe(before);
    await room.type("!");
    expect(room.lines().at(-2)).toBe("… second!");
  });

  test("Ctrl-Z stops it: the terminal is a shell's meanwhile, and everything is there again afterwards", async () => {
    const seen: string[] = [];
    const room = chatRoom(() => [ended], {
      suspend: () => seen.push(`${room.raw.at(-1)} ${room.written.join("").endsWith("\u001b[?2004l\u001b[?25h")}`),
    });
    await room.type("half a li", "\u001a");
    expect(seen).toEqual(["false true"]);
    expect(room.raw).toEqual([true, false, true]);
    expect(
      room.written
        .join("")
        .match(/\[\?2004[hl]/g)
        ?.join(""),
    ).toBe("[?2004h[?2004l[?2004h");
    // The signal that says so comes too, where there was a shell.
    await room.goOn();
    await room.type("ne");
    expect(room.lines().slice(-2)).toEqual(["› half a line", expect.stringContaining("3 skills (")]);
    expect(room.text().match(/half a li/g)).toHaveLength(1);
  });

  test("where it cannot be stopped, Ctrl-Z does nothing", async () => {
    const room = chatRoom(() => [ended]);
    await room.type("a", "\u001a", "b");
    expect(room.lines().at(-2)).toBe("› ab");
    expect(room.raw).toEqual([true]);
  });
});

test("a signal ends it, which is told from somebody who leaves", async () => {
  const room = await working();
  await room.interrupt();
  expect(await room.over).toBe("ended");
});

test("AG-10: whatever goes on at whatever size, the area fits the window and nothing of it is left behind", async () => {
  for (const [columns, rows] of [
    [20, 10],
    [40, 5],
    [200, 50],
  ] as const) {
    const room = chatRoom(
      async function* (_line, signal) {
        for (let call = 0; call < 20; call++)
          yield { type: "tool.started", call: String(call), tool: "read", input: "{}" };
        yield { type: "text", text: "word ".repeat(500) };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        yield { type: "turn.ended", end: "cancelled" };
      },
      { columns, rows },
    );
    await room.type("go", enter, "typed ahead ".repeat(20));
    const said: boolean[] = [];
    void room.chat.ask(asked("npm run all-of-it ".repeat(30))).then((word) => said.push(word));
    await room.shown();
    await room.wait();
    await room.wait();
    expect(room.text()).toContain(rows < 10 ? "make the window larger" : "│ npm run");
    expect(room.text().includes("[y]es")).toBe(rows > 10);
    if (rows <= 10) await room.type("y", "a");
    expect(said).toEqual([]);
    await room.type("\u0003", "\u0003");
    expect(said).toEqual([false]);
    expect(room.text()).not.toMatch(/│|working…|\[y\]es|● read|more$/m);
    expect(room.text().match(/› go/g)).toHaveLength(1);
    expect(room.text().match(/ 3 skills \(/g)).toHaveLength(1);
  }
});
