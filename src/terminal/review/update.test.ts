import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf, finding, type Kept, noDiff, opened, piece, textFile } from "../../../test/support/review-desk.ts";
import type { Answer } from "./desk.ts";
import type { Key } from "../keys.ts";
import { cellsIn } from "../line.ts";
import { type Effect, start, type State, type Step } from "./state.ts";
import { update } from "./update.ts";
import { render } from "./views/render.ts";

const size = { columns: 80, rows: 24 };

function kept(name: string, letter: string, over: Partial<Kept["view"]> = {}): Kept {
  const revision = {
    digest: digestOf(letter),
    grants: ["Read"],
    findings: [finding({ at: { file: "SKILL.md", line: 2 } })],
  };
  return {
    view: opened(name, over, letter === "a" ? { digest: digestOf("a") } : revision),
    raw: [textFile("SKILL.md", ["# One", "two", "three"])],
  };
}

const all = [
  kept("one", "a"),
  kept("two", "b", {
    diff: { ...noDiff("acme:skills/two", digestOf("b")), from: { digest: digestOf("0"), is: "in use" } },
  }),
  kept("three", "c"),
];

/** What a desk that never fails would answer, at once. */
function answerTo(effect: Effect): Answer[] {
  switch (effect.kind) {
    case "queue":
      return [
        { type: "queued", asked: effect, queue: { items: all.map(({ view }) => ({ ...view, clean: true })), more: 0 } },
      ];
    case "open":
      return all
        .filter(({ view }) => view.entry === effect.entry)
        .map(({ view }) => ({ type: "opened", asked: effect, view, whys: new Map() }));
    case "raw":
      return all
        .filter(({ view }) => view.entry === effect.entry)
        .map(({ raw }) => ({ type: "read", asked: effect, files: raw }));
    case "say":
      return [{ type: "failed", asked: effect, isStale: true, message: "it moved" }];
    case "clean":
    case "redraw":
    case "leave":
      return [];
  }
}

/** Follows a step until nothing more comes of it; every effect on the way is noted. */
function settle(step: Step, seen: Effect[]): State {
  let { state } = step;
  const waiting = [...step.effects];
  for (let effect = waiting.shift(); effect !== undefined; effect = waiting.shift()) {
    seen.push(effect);
    for (const answer of answerTo(effect)) {
      const next = update(state, answer);
      state = next.state;
      waiting.push(...next.effects);
    }
  }
  return state;
}

function press(state: State, names: readonly string[], seen: Effect[] = []): State {
  const keyOf = (name: string): Key => ({ name, typed: name.length === 1 ? name : "" });
  return names.reduce((now, name) => settle(update(now, { type: "key", key: keyOf(name) }), seen), state);
}

const begun = () => settle(start(size), []);

const named = [
  "enter",
  "escape",
  "tab",
  "backspace",
  "up",
  "down",
  "pageup",
  "pagedown",
  "home",
  "end",
  "ctrl-u",
  "ctrl-w",
  "paste",
];
const letters = Array.from("jkgGbdwfixnparco?#/[]qtyzN \u00e9");
const sizes = fc.record({ columns: fc.integer({ min: 1, max: 320 }), rows: fc.integer({ min: 1, max: 110 }) });

describe("whatever is pressed", () => {
  test("every frame has exactly the rows of the screen, and no line is wider than it", () => {
    const act = fc.oneof(fc.constantFrom(...letters, ...named), sizes);
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        let state = begun();
        for (const each of acts) {
          state =
            typeof each === "string" ? press(state, [each]) : update(state, { type: "resized", size: each }).state;
          const frame = render(state);
          expect(frame).toHaveLength(state.size.rows);
          for (const line of frame) expect(cellsIn(line)).toBeLessThanOrEqual(state.size.columns);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("RV-5: nothing is signed without y, and nothing but the digest that is shown", () => {
    const keys = fc.array(fc.constantFrom(...letters, ...named), { maxLength: 40 });
    fc.assert(
      fc.property(keys, (names) => {
        let state = begun();
        for (const name of names) {
          const seen: Effect[] = [];
          const shown = state.review?.view;
          state = press(state, [name], seen);
          for (const effect of seen) {
            if (effect.kind !== "say") continue;
            expect(name).toBe("y");
            expect(effect.plan.saying.digest).toBe(shown?.revision.digest);
            expect(effect.plan.entry).toBe(shown?.entry);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("what follows from an answer", () => {
  test("one that is not wanted any more changes nothing", () => {
    const opening = update(begun(), { type: "key", key: { name: "enter", typed: "" } });
    const [asked] = opening.effects;
    const given = update(opening.state, { type: "key", key: { name: "escape", typed: "" } }).state;
    const view = all[0]?.view;
    if (asked?.kind !== "open" || view === undefined) throw new Error("nothing was opened");
    expect(update(given, { type: "opened", asked, view, whys: new Map() }).state).toBe(given);
  });

  test("raw text of other bytes than those that are shown is not shown", () => {
    const state = press(begun(), ["enter"]);
    const asked = { kind: "raw", entry: "acme:skills/one", digest: digestOf("f") } as const;
    expect(update(state, { type: "read", asked, files: [] }).state).toBe(state);
  });

  test("something new opens as raw text, a change as a diff", () => {
    expect(press(begun(), ["enter"]).review?.tab).toBe("raw");
    expect(press(begun(), ["down", "enter"]).review?.tab).toBe("diff");
  });

  test("RV-5: after a stale word what is there now is open, and the person is told", () => {
    const seen: Effect[] = [];
    const state = press(begun(), ["enter", "a", "y"], seen);
    expect(seen.map(({ kind }) => kind)).toEqual(["open", "raw", "say", "open", "raw"]);
    expect(state.message?.text).toContain("nothing was decided");
    expect(state.decided).toBe(0);
  });
});

test("a bundle of a hundred thousand lines is laid out, and only what is seen of it is made", () => {
  const row = [piece("some text of usual length, and "), piece("\\u{200b}", { hidden: true })];
  const lines = Array.from({ length: 100_000 }, () => row);
  const big = { view: all[0]?.view ?? opened("one"), raw: [{ path: "big.txt", lines }] };
  const state = press(begun(), ["enter"]);
  const asked = { kind: "raw", entry: big.view.entry, digest: big.view.revision.digest } as const;
  const read = update(state, { type: "read", asked, files: big.raw }).state;
  const bottom = press(read, ["G"]);
  expect(bottom.review?.body.height).toBeGreaterThan(100_000);
  expect(
    render(bottom)
      .flat()
      .map(({ text }) => text),
  ).toContain("100000 │ ");
});
