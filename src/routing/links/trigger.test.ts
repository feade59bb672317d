import { describe, expect, it } from "vitest";
import { chainOf, shelfOf } from "../../../test/support/route-room.ts";
import { trusts } from "../../sources/trust.ts";
import type { Shelf } from "../shelf.ts";
import { triggerLink } from "./trigger.ts";

const shelf = shelfOf([
  { id: "a:keys", triggers: ["rotate the keys", "keys"], trust: "untrusted" },
  { id: "a:review", triggers: ["code review"], trust: "untrusted" },
  { id: "a:deep", triggers: ["code review of a migration"], trust: "untrusted" },
  { id: "a:db", triggers: ["数据库迁移", "部署"], trust: "untrusted" },
  { id: "a:cpp", triggers: ["c++ build"], trust: "untrusted" },
]);

async function found(query: string, on: Shelf = shelf): Promise<readonly (readonly [string, number])[]> {
  const { trace } = await chainOf([triggerLink]).route(on, query, {});
  return trace.ranked.map(({ entry, confidence }) => [entry, confidence]);
}

describe("RT-2: the trigger link", () => {
  it.each([
    ["Rotate the keys!", [["a:keys", 0.98]]],
    ["rotate   THE\nkeys", [["a:keys", 0.98]]],
    ["please rotate the keys of production", [["a:keys", 0.85]]],
    ["where are my keys", [["a:keys", 0.6]]],
    ["a code-review, please", [["a:review", 0.85]]],
    [
      "a code review of a migration, please",
      [
        ["a:deep", 0.85],
        ["a:review", 0.55],
      ],
    ],
    [
      "code review, then a code review of a migration",
      [
        ["a:deep", 0.85],
        ["a:review", 0.85],
      ],
    ],
    ["请帮我做数据库迁移吧", [["a:db", 0.85]]],
    ["我要部署这个", [["a:db", 0.6]]],
    ["fix the C++ build now", [["a:cpp", 0.85]]],
    ["keys keys keys ".repeat(400), [["a:keys", 0.6]]],
  ])("finds in %j", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each([
    "monkeys",
    "keys-of-the-house",
    "rotate the keyset",
    "barcode review",
    "c build",
    "code then review",
    "数据库",
  ])("finds nothing in %j", async (query) => {
    expect(await found(query)).toEqual([]);
  });

  it.each(trusts)(
    "hears what an admin set at any trust, and what a skill declares from verified on: %s",
    async (trust) => {
      const declaring = shelfOf([{ id: "a:x", trust, declared: { triggers: ["ship it"] } }]);
      const isHeard = trust === "verified" || trust === "first_party";
      expect(await found("ship it", declaring)).toEqual(isHeard ? [["a:x", 0.98]] : []);
      expect(await found("ship it", shelfOf([{ id: "a:x", trust, triggers: ["ship it"] }]))).toEqual([["a:x", 0.98]]);
    },
  );

  it("says who set it, in words that can be shown", async () => {
    const hostile = shelfOf([
      { id: "a:x", trust: "verified", declared: { triggers: ["\u202eship it"] } },
      { id: "a:y", triggers: ["ship it"] },
    ]);
    const { matches, ambiguous } = await chainOf([triggerLink]).route(hostile, "ship it", {});
    expect(ambiguous).toBe(true);
    expect(matches.map(({ why }) => why)).toEqual([
      'trigger "ship it" (declared by the skill)',
      'trigger "ship it" (set by an admin)',
    ]);
  });

  it("T26: phrases that are empty, endless or without a word are none", async () => {
    const odd = shelfOf([{ id: "a:x", triggers: ["", " ", "🚀", "...", "w ".repeat(90), "x".repeat(201)] }]);
    for (const query of ["🚀", "...", "w ".repeat(90), "x".repeat(201)]) expect(await found(query, odd)).toEqual([]);
  });

  it("finds one of many thousand phrases that begin alike", async () => {
    const many = shelfOf(
      Array.from({ length: 2000 }, (_, at) => ({
        id: `s:${at}`,
        triggers: Array.from({ length: 10 }, (__, each) => `how do I number${at * 10 + each} it`),
      })),
    );
    expect(await found("tell me how do i number12345 it, please", many)).toEqual([["s:1234", 0.85]]);
  });
});
