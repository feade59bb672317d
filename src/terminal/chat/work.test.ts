import { describe, expect, test } from "vitest";
import { primaryName } from "../../agent/agent-event.ts";
import type { AgentEvent } from "../../agent/agent-event.ts";
import type { Line } from "../line.ts";
import { Work } from "./work.ts";

const why = "it needs a person's word, and has none";

function textOf(lines: readonly Line[]): string[] {
  return lines.map((line) => line.map(({ text }) => text).join(""));
}

/** What a turn prints: of events, and of a person's word for a call of a session. */
function printed(...steps: readonly (AgentEvent | { readonly session: string; readonly isAllowed: boolean })[]) {
  const work = new Work();
  const { signal } = new AbortController();
  const lines = steps.flatMap((step) => {
    if ("type" in step) return work.heed(step, 80);
    const asked = { id: step.session, tool: "shell", input: { command: "rm x" }, why: "it is asked", signal };
    return work.answer({ asked, isAllowed: step.isAllowed }, 80);
  });
  return textOf(lines);
}

function started(call: string): AgentEvent {
  return { type: "tool.started", call, tool: "shell", input: '{"command":"rm x"}' };
}

function denied(call: string, tool = "shell"): AgentEvent {
  return { type: "tool.denied", call, tool, code: "TOOL_NOT_ALLOWED", why };
}

function deniedBelow(id: string): AgentEvent {
  return { type: "sub-agent", event: { type: "tool.denied", id, tool: "shell", code: "TOOL_NOT_ALLOWED", why } };
}

const no = { session: primaryName, isAllowed: false };

describe("AG-7: a call that a person refused", () => {
  test("is told once, and every other denial as it is", () => {
    const ended: AgentEvent = { type: "tool.ended", call: "1", tool: "shell", content: why, isError: true };
    expect(printed(started("1"), no, denied("1"), ended, started("2"), denied("2"))).toEqual([
      "⊘ shell rm x · you said no",
      `⊘ shell rm x · ${why}`,
    ]);
    expect(printed(started("1"), { ...no, isAllowed: true }, denied("1"))).toEqual([
      "? shell rm x · you allowed it",
      `⊘ shell rm x · ${why}`,
    ]);
    // The call ended in another way than by the word: that is no word for the next one.
    expect(printed(started("1"), no, started("2"), denied("2"))).toHaveLength(2);
    expect(printed(started("1"), no, denied("1", "write"))).toHaveLength(2);
  });

  test("is told once of a sub-agent too, and nobody else's denial is taken for it", () => {
    expect(printed({ session: "a", isAllowed: false }, deniedBelow("a"))).toEqual(["⊘ shell rm x · you said no"]);
    expect(printed({ session: "a", isAllowed: false }, deniedBelow("b"), deniedBelow("a"))).toEqual([
      "⊘ shell rm x · you said no",
      `  ⊘ b: shell · ${why}`,
    ]);
  });
});
