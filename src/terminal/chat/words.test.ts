import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptedAgent } from "../../../test/agent/chat-agent.ts";
import type { AgentState } from "../../agent/agent.ts";
import { cellsIn } from "../line.ts";
import { statusLine } from "./shown.ts";

function statusOf(given: Partial<AgentState>, columns: number): string {
  const spans = statusLine(scriptedAgent(() => [], given).agent.state, columns);
  expect(cellsIn(spans)).toBeLessThanOrEqual(columns);
  return spans.map(({ text }) => text).join("");
}

test("AG-10: where the status is narrow the model's name is cut inside, then left out, and the rest goes last", () => {
  const model = "scripted:/home/ann/models/script.json";
  const rest = "3 skills (1 unconfirmed) · gen 4 · 1.2k tokens";
  expect([100, 72, 59, 58, 48, 20].map((columns) => statusOf({ model }, columns))).toEqual([
    `  ${model} · ${rest}`,
    `  scripted:/…cript.json · ${rest}`,
    `  scr…json · ${rest}`,
    `  ${rest}`,
    `  ${rest}`,
    "  3 skills (1 uncon…",
  ]);
  expect(statusOf({ model, held: ["one", "two"] }, 70)).toBe(`  ${rest} · scope: one,two`);
});

test("T34: whatever a model is called, its name fits and nothing of it is acted on", () => {
  const part = fc.constantFrom("a", "日", "e\u0301", "\u0301", "\u001b[2J", "\u202e", "😀", "\ud83d", "/");
  const names = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 120 }), (model, columns) => {
      expect(statusOf({ model }, columns)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
});
