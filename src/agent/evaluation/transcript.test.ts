import { describe, expect, it } from "vitest";
import { RunRecord } from "./run-case.ts";
import { firstDifference, transcriptOf } from "./transcript.ts";

const room = { workspace: "/tmp/room-1/workspace", home: "/tmp/room-1/home" };

describe("AG-9: transcripts", () => {
  it("AG-9: say what happened, without ids, times and folders of this machine", () => {
    const record = new RunRecord();
    record.prompt("/skills:greeter two\nlines");
    const entry = "project:greeter";
    record.take({ type: "skill.used", use: "invoked", name: "greeter", entry, digest: "0", by: "person" });
    record.take({ type: "model.asked", call: 1, generation: 7, tokens: 99, prompt: "1" });
    record.take({ type: "tool.started", call: "call_8", tool: "read", input: '{ "path": "a", "from": 1 }' });
    const content = `${room.workspace}/a has it\nand more`;
    record.take({ type: "tool.ended", call: "call_8", tool: "read", content, isError: false });
    record.take({ type: "tool.started", call: "call_9", tool: "shell", input: "ls\u001b[31m" });
    record.take({ type: "tool.denied", call: "call_9", tool: "shell", code: "TOOL_FORBIDDEN", why: "not here" });
    record.take({ type: "tool.ended", call: "call_9", tool: "shell", content: "it was not run", isError: true });
    record.take({ type: "model.answered", text: `See ${room.home}.`, calls: 0, tokens: { input: 5, output: 5 } });
    const reply = { title: "all", rows: [{ name: "/skills:greeter", about: "greets" }], notes: ["one of one"] };
    record.take({ type: "reply", command: "/skills", reply });
    expect(transcriptOf(record.steps, room)).toBe(
      [
        "> /skills:greeter two",
        "  lines",
        "* invoked greeter",
        '@ read {"from":1,"path":"a"}',
        "  result: <workspace>/a has it",
        String.raw`@ shell ls\u{1b}[31m`,
        "  denied TOOL_FORBIDDEN: not here",
        "< See <home>.",
        "= /skills: all",
        "  /skills:greeter  greets",
        "  one of one",
        "",
      ].join("\n"),
    );
  });

  it("AG-9: the first difference is shown with what is before it", () => {
    expect(firstDifference("a\nb\n", "a\nb\n")).toBeUndefined();
    expect(firstDifference("a\nb\nc\nd\n", "a\nb\nc\ne\n")).toBe(
      "the transcript differs from line 4 on\n    b\n    c\n  - d\n  - \n  + e\n  + ",
    );
    expect(firstDifference("a", "a\nb")).toContain("line 2 on\n    a\n  + b");
  });

  it("AG-9: more than anybody reads is not kept", () => {
    const record = new RunRecord();
    for (let step = 0; step < 20_000; step++) record.prompt("x");
    expect(record.steps.length).toBe(10_001);
    expect(transcriptOf(record.steps, room).split("\n").length).toBeLessThan(5100);
  });
});
