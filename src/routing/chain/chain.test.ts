import { describe, expect, it } from "vitest";
import { chainOf, link, shelfOf, usual } from "../../../test/support/route-room.ts";
import type { Routed, RouteOptions } from "../routed.ts";

const shelf = shelfOf(["a:x", "b:x", "c:x", "d:x"].map((id) => ({ id, name: id })));

function entriesOf({ matches }: Pick<Routed, "matches">): readonly string[] {
  return matches.map(({ entry }) => entry);
}

describe("the chain", () => {
  it("RT-3: stops at the first link that is sure enough and leads by the margin", async () => {
    const asked: string[] = [];
    const later = link("later", () => asked.push("later") && []);
    const { matches, trace, abstained, ambiguous } = await chainOf([
      link("first", { "a:x": 0.95, "b:x": 0.5 }),
      later,
    ]).route(shelf, "query", {});
    expect(asked).toEqual([]);
    expect(matches[0]).toEqual({ entry: "a:x", confidence: 0.95, link: "first", why: "said 0.95", alike: [] });
    expect([abstained, ambiguous]).toEqual([false, false]);
    expect(trace.stopped).toBe("first: 0.95 is at or above 0.90 and leads by 0.45");
  });

  it.each([
    ["the best is not sure enough", { "a:x": 0.89 }],
    ["another one is within the margin", { "a:x": 0.95, "b:x": 0.86 }],
  ])("RT-3: goes on when %s", async (_, said) => {
    const { trace } = await chainOf([link("first", said), link("second", {})]).route(shelf, "query", {});
    expect(trace.steps.map((step) => [step.link, step.outcome])).toEqual([
      ["first", "answered"],
      ["second", "none"],
    ]);
  });

  it("RT-3: 0.9 leads 0.8 by 0.1, whatever binary fractions make of it", async () => {
    const { ambiguous, trace } = await chainOf([link("first", { "a:x": 0.9, "b:x": 0.8 })]).route(shelf, "query", {});
    expect([ambiguous, trace.stopped]).toEqual([false, "first: 0.90 is at or above 0.90 and leads by 0.10"]);
  });

  it("RT-3: the strongest evidence of an entry counts, and says which link it is from", async () => {
    const links = [link("first", { "a:x": 0.5, "b:x": 0.7 }), link("second", { "a:x": 0.6, "b:x": 0.4, "c:x": 0.35 })];
    const { matches } = await chainOf(links).route(shelf, "query", {});
    expect(matches.map(({ entry, confidence, link: by }) => [entry, confidence, by])).toEqual([
      ["b:x", 0.7, "first"],
      ["a:x", 0.6, "second"],
      ["c:x", 0.35, "second"],
    ]);
  });

  it("RT-3: abstains below the floor, and still says what it found", async () => {
    const { matches, abstained, ambiguous, trace } = await chainOf([link("first", { "a:x": 0.15, "b:x": 0.14 })]).route(
      shelf,
      "query",
      {},
    );
    expect([matches, abstained, ambiguous]).toEqual([[], true, false]);
    expect(trace.ranked.map(({ entry, confidence }) => [entry, confidence])).toEqual([
      ["a:x", 0.15],
      ["b:x", 0.14],
    ]);
    expect(trace.stopped).toBe("no link is left; that one of them fits is 0.29 likely, below the floor of 0.30");
  });

  it("RT-3: siblings of which none is sure may be likely together; of the sixth on, nothing is added", async () => {
    const said = { "a:x": 0.16, "b:x": 0.15, "c:x": 0.04 };
    const routed = await chainOf([link("first", said)]).route(shelf, "query", {});
    expect([routed.abstained, routed.ambiguous, routed.trace.likelihood]).toEqual([false, true, 0.35]);
    // What is worth less than a twentieth stays in the trace.
    expect(entriesOf(routed)).toEqual(["a:x", "b:x"]);

    const many = shelfOf(Array.from({ length: 8 }, (_, at) => ({ id: `s:${at}`, name: `name${at}` })));
    const little = Object.fromEntries([...many.entries.keys()].map((id) => [id, 0.05]));
    expect((await chainOf([link("first", little)]).route(many, "query", {})).abstained).toBe(true);
  });

  it("RT-3: what stands for itself does not add up: many that are hardly close make none that fits", async () => {
    const said = { "a:x": 0.16, "b:x": 0.15, "c:x": 0.14, "d:x": 0.13 };
    const alone = link("meaning", said, { addsUp: false });
    const routed = await chainOf([alone]).route(shelf, "query", {});
    expect([routed.abstained, routed.trace.likelihood]).toEqual([true, 0.16]);
    const judge = link("judge", said, { role: "judges", shown: 4 });
    const judged = await chainOf([link("words", { ...said, "a:x": 0.2 }), judge]).route(shelf, "query", {});
    expect([judged.abstained, judged.trace.likelihood]).toEqual([true, 0.16]);
  });

  it("T32: the order before the floor is the same whatever the floor is", async () => {
    const mixed = shelfOf([
      { id: "a:x", name: "a", trust: "untrusted" },
      { id: "b:x", name: "b", trust: "verified" },
    ]);
    const orderAt = async (floor: number) => {
      const said = link("first", { "a:x": 0.28, "b:x": 0.25 });
      const { trace, abstained } = await chainOf([said]).route(mixed, "query", { thresholds: { floor } });
      return [abstained, ...trace.ranked.map(({ entry }) => entry)];
    };
    expect([await orderAt(0.3), await orderAt(0.6)]).toEqual([
      [false, "b:x", "a:x"],
      [true, "b:x", "a:x"],
    ]);
  });

  it("RT-3: an accept below the floor does not stop at what is not given out", async () => {
    const thresholds = { accept: 0.2, margin: 0, floor: 0.5 };
    const links = [link("first", { "a:x": 0.4 }), link("second", { "b:x": 0.6 })];
    expect(entriesOf(await chainOf(links).route(shelf, "query", { thresholds }))).toEqual(["b:x", "a:x"]);
  });

  it("RT-3: what is too close to call is ambiguous, with no finding and a word in the trace", async () => {
    const { ambiguous, findings, trace } = await chainOf([
      link("first", { "a:x": 0.95, "b:x": 0.9, "c:x": 0.5 }),
    ]).route(shelf, "query", {});
    expect([ambiguous, findings]).toEqual([true, []]);
    expect(trace.stopped).toBe("no link is left; the first 2 are within 0.10 of each other: ambiguous");
  });

  it("RT-3: says how many of the matches are too close to call, of those that it gives", async () => {
    const close = { "a:x": 0.95, "b:x": 0.9, "c:x": 0.88, "d:x": 0.5 };
    const tied = async (said: Readonly<Record<string, number>>, limit = 5) =>
      (await chainOf([link("first", said)]).route(shelf, "query", { limit })).tied;
    expect(await tied(close)).toBe(3);
    expect(await tied(close, 2)).toBe(2);
    expect(await tied({ "a:x": 0.95, "b:x": 0.5 })).toBe(1);
    // Within the margin of the best, and still far from it.
    expect(await tied({ "a:x": 0.16, "b:x": 0.15, "c:x": 0.07 })).toBe(2);
    expect(await tied({ "a:x": 0.1 })).toBe(0);
    expect((await chainOf([]).route(shelf, "", {})).tied).toBe(0);
  });

  it("RT-3: a low floor is not overruled, and why nothing was chosen is said", async () => {
    const chain = chainOf([link("first", { "a:x": 0.04, "b:x": 0.03, "c:x": 0 })]);
    const low = await chain.route(shelf, "query", { thresholds: { floor: 0 } });
    expect([entriesOf(low), low.abstained]).toEqual([["a:x", "b:x"], false]);
    const high = await chain.route(shelf, "query", { thresholds: { floor: 0.06 } });
    expect([high.abstained, high.trace.stopped]).toEqual([
      true,
      "no link is left; the best has 0.04, too little to be named",
    ]);
    const none = await chainOf([link("first", { "c:x": 0 })]).route(shelf, "query", { thresholds: { floor: 0 } });
    expect([none.abstained, none.trace.stopped]).toEqual([
      true,
      "no link is left; the best has 0.00, too little to be named",
    ]);
  });

  it("RT-3: a tie is ambiguous even without a margin", async () => {
    const thresholds = { margin: 0 };
    const tied = await chainOf([link("first", { "a:x": 0.95, "b:x": 0.95 })]).route(shelf, "query", { thresholds });
    expect(tied.ambiguous).toBe(true);
    const apart = await chainOf([link("first", { "a:x": 0.95, "b:x": 0.94 })]).route(shelf, "query", { thresholds });
    expect(apart.ambiguous).toBe(false);
  });

  it("T32: of those too close to call, the most trusted comes first, and what is not close moves nothing", async () => {
    const mixed = shelfOf([
      { id: "a:x", trust: "untrusted" },
      { id: "b:x", trust: "verified" },
      { id: "c:x", trust: "first_party" },
      { id: "d:x", trust: "first_party" },
    ]);
    const routed = await chainOf([link("first", { "a:x": 0.18, "b:x": 0.13, "c:x": 0.1 })]).route(mixed, "query", {});
    expect(entriesOf(routed)).toEqual(["b:x", "a:x", "c:x"]);
    expect(routed.trace.ranked.map(({ entry }) => entry)).toEqual(["b:x", "a:x", "c:x"]);
    const tied = await chainOf([link("first", { "c:x": 0.5, "d:x": 0.52 })]).route(mixed, "query", {});
    expect(entriesOf(tied)).toEqual(["d:x", "c:x"]);
  });

  it("RT-1: gives at most five, or as many as are asked for", async () => {
    const many = shelfOf(Array.from({ length: 8 }, (_, at) => ({ id: `s:${at}`, name: `name${at}` })));
    const said = Object.fromEntries([...many.entries.keys()].map((id, at) => [id, 0.8 - at * 0.05]));
    const chain = chainOf([link("first", said)], { ...usual, margin: 0.01 });
    expect((await chain.route(many, "query", {})).matches).toHaveLength(5);
    expect((await chain.route(many, "query", { limit: 7 })).matches).toHaveLength(7);
    expect((await chain.route(many, "query", { limit: 1 })).trace.ranked).toHaveLength(8);
  });

  it.each([0, -1, 1.5, Number.NaN, 101, Number.POSITIVE_INFINITY])("refuses a limit of %s", async (limit) => {
    await expect(chainOf([]).route(shelf, "query", { limit })).rejects.toMatchObject({ code: "usage.invalid" });
  });

  it.each([-0.1, 1.1, Number.NaN])("refuses a threshold of %s", async (floor) => {
    const routing = chainOf([]).route(shelf, "query", { thresholds: { floor } });
    await expect(routing).rejects.toMatchObject({ code: "usage.invalid" });
  });

  it.each([
    ["no text", undefined, {}],
    ["a number as text", 7, {}],
    ["no options", "query", null],
    ["paths that are none", "query", { context: { paths: [null] } }],
    ["one path that is no list", "query", { context: { paths: "main.tf" } }],
    ["a context of null", "query", { context: null }],
    ["a limit of null", "query", { limit: null }],
    ["a limit in words", "query", { limit: "5" }],
    ["a list of what may be chosen", "query", { among: ["a:x"] }],
    ["a kind that is none", "query", { kinds: ["recipe"] }],
    ["kinds that are no list", "query", { kinds: "tool" }],
    ["thresholds of null", "query", { thresholds: null }],
    ["a threshold in words", "query", { thresholds: { floor: "0.5" } }],
    ["a signal that is none", "query", { signal: {} }],
  ])("RT-1: refuses %s", async (_, text, options) => {
    const routing = chainOf([]).route(shelf, text as string, options as RouteOptions);
    await expect(routing).rejects.toMatchObject({ name: "AppError", code: "usage.invalid" });
  });

  it("RT-1: the trace says what each link said, ten of it, and how long it took", async () => {
    const many = shelfOf(Array.from({ length: 12 }, (_, at) => ({ id: `s:${at}`, name: `name${at}` })));
    const said = Object.fromEntries([...many.entries.keys()].map((id, at) => [id, at / 100]));
    const { trace } = await chainOf([link("first", said)]).route(many, "query", {});
    expect(trace.steps[0]).toMatchObject({ link: "first", outcome: "answered", milliseconds: 0, note: "and 2 more" });
    expect(trace.steps[0]?.said).toHaveLength(10);
    expect(trace.steps[0]?.said[0]).toEqual({ entry: "s:11", confidence: 0.11, why: "said 0.11" });
    expect(trace.thresholds).toEqual(usual);
  });
});

describe("what may be chosen (RT-5)", () => {
  const shelves = shelfOf([
    { id: "a:tool" },
    { id: "a:fact", declared: { kind: "host-knowledge" } },
    { id: "a:hidden", indexed: false },
  ]);
  const everything = link("all", { "a:tool": 0.5, "a:fact": 0.6, "a:hidden": 0.7, "a:gone": 0.8 });

  it.each([
    [{}, ["a:fact", "a:tool"]],
    [{ kinds: ["tool", "host-knowledge"] }, ["a:fact", "a:tool"]],
    [{ kinds: ["tool"] }, ["a:tool"]],
    [{ kinds: ["host-knowledge"] }, ["a:fact"]],
    [{ kinds: [] }, []],
    [{ among: new Set(["a:tool", "a:gone", "a:hidden"]) }, ["a:tool"]],
    [{ among: new Set(["a:tool"]), kinds: ["host-knowledge"] }, []],
    [{ among: new Set<string>() }, []],
  ] as const)("T31: is bounded by %j", async (options, expected) => {
    const routed = await chainOf([everything]).route(shelves, "query", { ...options });
    expect(entriesOf(routed)).toEqual(expected);
    expect(routed.trace.ranked.map(({ entry }) => entry)).toEqual(expected);
  });
});

describe("judges", () => {
  const finder = link("finder", { "a:x": 0.6, "b:x": 0.58, "c:x": 0.5, "d:x": 0.4 });

  it("put aside what they were shown and did not name; what they were not shown stays", async () => {
    const judge = link("judge", { "b:x": 0.95 }, { role: "judges", shown: 3 });
    const { matches, trace } = await chainOf([finder, judge]).route(shelf, "query", {});
    expect(matches.map(({ entry, confidence, link: by }) => [entry, confidence, by])).toEqual([
      ["b:x", 0.95, "judge"],
      ["d:x", 0.4, "finder"],
    ]);
    expect(trace.steps[1]?.note).toBe("put 2 of 3 aside");
    expect(trace.ranked.slice(2)).toEqual([
      { entry: "a:x", confidence: 0, link: "judge", why: "put aside by judge", alike: [] },
      { entry: "c:x", confidence: 0, link: "judge", why: "put aside by judge", alike: [] },
    ]);
  });

  it("can lower what finders said, and say that none fits", async () => {
    const doubts = link("judge", { "a:x": 0.35 }, { role: "judges" });
    expect((await chainOf([finder, doubts]).route(shelf, "query", {})).matches).toMatchObject([
      { entry: "a:x", confidence: 0.35 },
    ]);
    const nobody = link("judge", {}, { role: "judges" });
    const routed = await chainOf([finder, nobody]).route(shelf, "query", { thresholds: { floor: 0 } });
    expect([routed.abstained, routed.matches]).toEqual([true, []]);
    expect(routed.trace.stopped).toBe("no link is left; all that was found was put aside");
    expect(routed.trace.steps[1]).toMatchObject({ outcome: "answered", note: "put 4 of 4 aside" });
  });

  it("have the last word over finders that come later", async () => {
    const judge = link("judge", { "b:x": 0.5 }, { role: "judges" });
    const late = link("late", { "a:x": 0.99, "b:x": 0.99 });
    const { matches } = await chainOf([finder, judge, late]).route(shelf, "query", {});
    expect(matches).toMatchObject([{ entry: "b:x", confidence: 0.5, link: "judge" }]);
  });

  it("are not asked when nothing was found", async () => {
    const asked: string[] = [];
    const judge = link("judge", () => asked.push("judge") && [], { role: "judges" });
    const { trace, findings } = await chainOf([link("finder", {}), judge]).route(shelf, "query", {});
    expect([asked, findings]).toEqual([[], []]);
    expect(trace.steps[1]).toMatchObject({ outcome: "skipped", note: "there is nothing to judge" });
  });

  it.each([
    ["no finder found", { "a:x": 0.9, "c:x": 0.9 }, 4],
    ["it was not shown", { "a:x": 0.9, "b:x": 0.9 }, 1],
  ])("add nothing that %s", async (_, said, shown) => {
    const found = link("finder", { "a:x": 0.6, "b:x": 0.45 });
    const { matches, findings } = await chainOf([found, link("judge", said, { role: "judges", shown })]).route(
      shelf,
      "query",
      {},
    );
    expect(matches.map(({ entry, confidence }) => [entry, confidence])).toEqual([
      ["a:x", 0.6],
      ["b:x", 0.45],
    ]);
    expect(findings.map(({ code }) => code)).toEqual(["route.link-rubbish"]);
  });
});
