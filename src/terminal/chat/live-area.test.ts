import xterm from "@xterm/headless";
import fc from "fast-check";
import { expect, test } from "vitest";
import { line } from "../line.ts";
import { type Frame, LiveArea } from "./live-area.ts";

const rowsOf = (...texts: readonly string[]) => texts.map((text) => line(text));

/** All that such a terminal shows after these updates, each what is printed and what is below it then. */
async function after(
  updates: readonly { printed: readonly string[]; frame: Frame }[],
  rows: number,
): Promise<string[]> {
  const screen = new xterm.Terminal({ cols: 20, rows, scrollback: 1000, allowProposedApi: true });
  const area = new LiveArea({ write: (text: string) => screen.write(text) }, true);
  for (const { printed, frame } of updates) area.update(rowsOf(...printed), frame);
  await new Promise<void>((done) => screen.write("", done));
  const { active } = screen.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
  screen.dispose();
  return lines.slice(0, lines.findLastIndex((text) => text !== "") + 1);
}

test("AG-10: whatever is drawn before, there is what was printed, once and in order, and the last area below it", async () => {
  const text = fc.constantFrom("a", "b", "twenty cells wide!!!", "日本");
  const frame = fc.array(text, { minLength: 1, maxLength: 4 }).chain((texts) =>
    fc.record({
      rows: fc.constant(rowsOf(...texts)),
      cursor: fc.option(fc.record({ row: fc.nat({ max: texts.length - 1 }), column: fc.nat({ max: 19 }) })),
    }),
  );
  const update = fc.record({ printed: fc.array(text, { maxLength: 3 }), frame });
  await fc.assert(
    fc.asyncProperty(
      fc.array(update, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 5, max: 12 }),
      async (updates, rows) => {
        const last = updates.at(-1)?.frame.rows.map((row) => row[0]?.text ?? "") ?? [];
        expect(await after(updates, rows)).toEqual([...updates.flatMap(({ printed }) => printed), ...last]);
      },
    ),
    { numRuns: 60 },
  );
});

test("a row that is wider than the terminal is cut: those below stay where they are", async () => {
  const [wide, narrow] = [rowsOf("x".repeat(25), "b"), rowsOf("y", "b")];
  expect(await after([{ printed: [], frame: { rows: wide, cursor: null } }], 8)).toEqual(["x".repeat(20), "b"]);
  const updates = [wide, narrow].map((rows) => ({ printed: [], frame: { rows, cursor: { row: 1, column: 0 } } }));
  expect(await after(updates, 8)).toEqual(["y", "b"]);
});
