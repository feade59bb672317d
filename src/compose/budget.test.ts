import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeSkills, makeSkill, type MadeSkill, trusts, vias } from "../../test/support/composing.ts";
import { AppError } from "../core/error.ts";
import { budgetBytes, fewest, fit } from "./budget.ts";
import type { ComposeOptions } from "./compose.ts";
import type { Composition } from "./composition.ts";
import { renderBlocks, renderSection, type Section } from "./render.ts";
import { verify } from "./verify.ts";

const someSkills = fc
  .array(
    fc.record({
      via: fc.constantFrom(...vias),
      trust: fc.constantFrom(...trusts),
      body: fc.tuple(fc.constantFrom("x", "é", "\u{1f600}"), fc.nat(700)).map(([unit, count]) => unit.repeat(count)),
    }),
    { maxLength: 14 },
  )
  .map((wishes) => wishes.map((each, at) => makeSkill({ ...each, entry: `h:${at}` })));

const budgets = fc.oneof(fc.integer({ min: 1, max: 8000 }), fc.integer({ min: 600, max: 1600 }));
const placement = fc.constantFrom("user" as const, "system" as const);
/** As crude as it is: it need not be the sum of its parts. */
const words = (text: string) => text.split(/[^a-z0-9]+/).length + (text.length % 3);
const tokens = fc.option(
  fc.integer({ min: 1, max: 600 }).map((most) => ({ most, count: words })),
  { nil: undefined },
);

function attempted(act: () => Composition): Composition | AppError {
  try {
    return act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const sizeOf = (skills: readonly MadeSkill[], options: Partial<ComposeOptions>) =>
  composeSkills(skills, { ...options, budget: 1 << 24 }).bytes;

/** CO-6 word for word, one skill at a time. */
function expectedDrops(skills: readonly MadeSkill[], options: Partial<ComposeOptions> & { budget: number }) {
  const tooLarge = skills.filter((skill) => sizeOf([skill], options) > options.budget);
  let left = skills.filter((skill) => !tooLarge.includes(skill));
  const overBudget: MadeSkill[] = [];
  for (const via of ["routed", "task", "configuration"] as const)
    for (const skill of left.filter(({ chosen }) => chosen.via === via).toReversed())
      if (sizeOf(left, options) > options.budget) {
        overBudget.push(skill);
        left = left.filter((each) => each !== skill);
      }
  const fits = sizeOf(left, options) <= options.budget && tooLarge.every(({ chosen }) => chosen.via !== "invoked");
  return { fits, tooLarge, overBudget };
}

const entriesOf = (skills: readonly MadeSkill[]) => skills.map(({ chosen }) => chosen.entry);

describe("CO-6: the budget", () => {
  test("law: never over it, in bytes or tokens; whoever was asked for by name is in, or the request fails", () => {
    fc.assert(
      fc.property(someSkills, budgets, placement, tokens, (skills, budget, placed, counted) => {
        const limit = counted === undefined ? {} : { tokens: counted };
        const result = attempted(() => composeSkills(skills, { budget, placement: placed, ...limit }));
        const invoked = entriesOf(skills.filter(({ chosen }) => chosen.via === "invoked"));
        if (result instanceof AppError) {
          expect(result.code).toBe("budget.exceeded");
          expect(invoked.length).toBeGreaterThan(0);
          return;
        }
        const { block, systemBlock, bytes, included, dropped, findings } = result;
        expect(bytes).toBe(Buffer.byteLength(block) + Buffer.byteLength(systemBlock));
        expect(bytes).toBeLessThanOrEqual(budget);
        const used = [block, systemBlock].filter((text) => text !== "").reduce((sum, text) => sum + words(text), 0);
        if (counted !== undefined) expect(used).toBeLessThanOrEqual(counted.most);
        expect(result.tokens).toBe(counted === undefined ? undefined : used);
        const kept = included.map(({ entry }) => entry);
        expect(kept).toEqual(expect.arrayContaining(invoked));
        expect([...kept, ...dropped.map(({ entry }) => entry)].toSorted()).toEqual(entriesOf(skills).toSorted());
        expect(kept).toEqual(entriesOf(skills).filter((entry) => kept.includes(entry)));
        const said = findings.filter(({ code }) => /too-large|over-budget/.test(code));
        expect(said.map(({ at }) => at.file)).toEqual(dropped.map(({ entry }) => `entry:${entry}`));
      }),
      { numRuns: 250 },
    );
  });

  test("law: first what alone is too large, then from the tail: routed, task, configuration, and no more than needed", () => {
    fc.assert(
      fc.property(someSkills, budgets, placement, (skills, budget, placed) => {
        const { fits, tooLarge, overBudget } = expectedDrops(skills, { budget, placement: placed });
        const result = attempted(() => composeSkills(skills, { budget, placement: placed }));
        expect(result instanceof AppError).toBe(!fits);
        if (result instanceof AppError) return;
        const drops = (why: string) => result.dropped.filter((each) => each.why === why).map(({ entry }) => entry);
        expect(drops("too-large")).toEqual(entriesOf(tooLarge));
        expect(drops("over-budget")).toEqual(entriesOf(overBudget));
      }),
      { numRuns: 150 },
    );
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined, null, "5", {}])(
    "%j is the default of 24,000, never uncapped",
    (wanted) => {
      expect(budgetBytes(wanted)).toBe(24_000);
      const skills = Array.from({ length: 9 }, (_, at) => makeSkill({ entry: `h:${at}`, body: "x".repeat(4000) }));
      const { bytes, included } = composeSkills(skills, { budget: wanted as number });
      expect(bytes).toBeLessThanOrEqual(24_000);
      expect(included).toHaveLength(5);
    },
  );

  test("a skill that was asked for by name and cannot fit fails the request, and says what to do", () => {
    const large = makeSkill({ entry: "h:large", via: "invoked", body: "x".repeat(2000) });
    expect(() => composeSkills([large], { budget: 1000 })).toThrow(
      expect.objectContaining({
        code: "budget.exceeded",
        message: expect.stringMatching(/"h:large".*1000 bytes.*raise/),
      }),
    );
    const two = [large, makeSkill({ entry: "h:b", via: "invoked", body: "x".repeat(2000) })];
    expect(() => composeSkills(two, { budget: 4000 })).toThrow(expect.objectContaining({ code: "budget.exceeded" }));
  });

  test("the others make room for it", () => {
    const skills = [
      makeSkill({ entry: "h:house", body: "x".repeat(500) }),
      makeSkill({ entry: "h:asked", via: "invoked", body: "x".repeat(2000) }),
    ];
    expect(composeSkills(skills, { budget: 2900 })).toMatchObject({
      included: [{ entry: "h:asked" }],
      dropped: [{ entry: "h:house", why: "over-budget" }],
    });
  });

  test("a counter that counts nothing sensible lets nothing in", () => {
    const skill = makeSkill();
    for (const count of [() => Number.NaN, () => Number.POSITIVE_INFINITY])
      expect(composeSkills([skill], { tokens: { most: 1000, count } })).toMatchObject({ block: "", tokens: 0 });
    for (const most of [0, -1, Number.NaN])
      expect(composeSkills([skill], { tokens: { most, count: words } })).toMatchObject({ block: "", included: [] });
  });

  test("what the framing adds at the last moment counts: a boundary with a counter never breaks the budget", () => {
    const sections = Array.from({ length: 5 }, (_, at) => {
      const { chosen, material } = makeSkill({ entry: `h:${at}`, body: "x".repeat(300) });
      const { verified } = verify(chosen, material);
      return verified === undefined ? [] : [renderSection(verified, "user", false)];
    }).flat();
    const frame = { key: Buffer.alloc(32, 7), configuration: "house" };
    const exact = renderBlocks(sections, frame).bytes;
    // As if every boundary had got longer, and by another length each time.
    const longer = (some: readonly Section[]) => {
      const blocks = renderBlocks(some, frame);
      const user = blocks.user === "" ? "" : `${blocks.user}${"-1".repeat(some.length)}`;
      return { ...blocks, user, bytes: Buffer.byteLength(user) };
    };
    const { blocks, dropped } = fit(sections, { bytes: exact }, longer);
    expect(blocks.bytes).toBeLessThanOrEqual(exact);
    expect(dropped).toHaveLength(1);
  });

  test("law: halving finds the smallest number that does", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(220), (most, needed) => {
        const found = fewest(most, (count) => (count >= needed ? `${count}` : undefined));
        expect(found).toEqual(needed > most ? undefined : { count: needed, result: `${needed}` });
      }),
    );
  });
});
