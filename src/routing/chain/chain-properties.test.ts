import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainOf, evidence, link, shelfOf, type Stocked } from "../../../test/support/route-room.ts";
import { kinds } from "../../skill/manifest.ts";
import { trusts } from "../../sources/trust.ts";
import { buildSegment } from "../index/segment.ts";
import { createIndex } from "../index/segmented-index.ts";
import type { Link } from "../link.ts";
import { aliasLink, exactLink } from "../links/exact.ts";
import { lexicalLink } from "../links/lexical.ts";
import { pathsLink } from "../links/paths.ts";
import { triggerLink } from "../links/trigger.ts";
import type { Match, Routed } from "../routed.ts";

const ids = ["a:1", "b:2", "c:3", "d:4", "e:5", "f:6"] as const;
const words = ["deploy", "review", "keys", "tides", "harbour", "code"];
const word = fc.constantFrom(...words);
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));

/** Skills with much in common: same names, same bytes, nearly the same texts. */
const stock: fc.Arbitrary<readonly Stocked[]> = fc
  .tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        name: fc.array(word, { minLength: 1, maxLength: 2 }).map((parts) => parts.join("-")),
        description: phrase,
        body: fc.array(word, { maxLength: 4 }).map((parts) => parts.join(" ")),
        trust: fc.constantFrom(...trusts),
        triggers: fc.array(phrase, { maxLength: 1 }),
        indexed: fc.boolean().map((isMissing) => !isMissing || id < "c"),
        declared: fc.record({
          kind: fc.constantFrom(...kinds),
          triggers: fc.array(phrase, { maxLength: 1 }),
          aliases: fc.array(word, { maxLength: 1 }),
          paths: fc.subarray(["*.tf", "src/**", "Dockerfile"]),
        }),
      }),
    ),
  )
  .map((each) => each);

const confidence = fc.integer({ min: 0, max: 19 }).map((twentieths) => twentieths / 20);
const said = fc.dictionary(fc.constantFrom(...ids), confidence);
const finders = fc
  .array(said, { minLength: 1, maxLength: 4 })
  .map((all) => all.map((each, at) => link(`finder${at}`, each)));
const query = fc.oneof(
  phrase,
  phrase.map((text) => `use the ${text} skill on src/main.tf`),
);

const never: unknown = new Promise(() => {});
/** Everything that is not an answer. */
const rubbish: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.constant(() => {
    throw new Error("broken");
  }),
  fc.constant(() => Promise.reject(new Error("broken"))),
  fc.constant(() => never),
  fc
    .anything()
    .filter((value) => !Array.isArray(value) || value.length > 0)
    .map((value) => () => value),
  fc.array(fc.anything(), { minLength: 1, maxLength: 4 }).map((items) => () => items),
  fc
    .tuple(fc.constantFrom(...ids, "no:one", "__proto__"), fc.constantFrom(Number.NaN, Infinity, -1, 2))
    .map(([entry, number]) => () => [{ entry, confidence: number, why: "" }]),
  fc.constantFrom("no:one", "toString", "").map((entry) => () => [{ entry, confidence: 1, why: "" }]),
);

function answers({ matches, abstained, ambiguous, trace }: Routed) {
  return { matches, abstained, ambiguous, ranked: trace.ranked };
}

function entriesIn(matches: readonly Match[]): ReadonlySet<string> {
  return new Set(matches.flatMap(({ entry, alike }) => [entry, ...alike]));
}

function surest({ trace }: Routed): number {
  return Math.max(0, ...trace.ranked.map((match) => match.confidence));
}

/** No confidence is enough to stop: every link is asked. */
const thorough = { accept: 1, margin: 0.1, floor: 0.3 };

describe("the laws of the chain", () => {
  it("RT-4: a link that gives rubbish never changes what the others give", async () => {
    const role = fc.constantFrom("finds", "judges");
    await fc.assert(
      fc.asyncProperty(stock, finders, rubbish, role, fc.nat(), query, async (skills, sound, find, does, at, text) => {
        const shelf = shelfOf(skills);
        const place = at % (sound.length + 1);
        const bad = link("bad", find, { role: does });
        const alone = await chainOf(sound).route(shelf, text, {});
        const together = await chainOf([...sound.slice(0, place), bad, ...sound.slice(place)]).route(shelf, text, {});
        expect(answers(together)).toEqual(answers(alone));
        const isAsked = together.trace.steps.some((step) => step.link === "bad" && step.outcome !== "skipped");
        if (isAsked) expect(together.findings.map(({ at: { file } }) => file)).toContain("link:bad");
      }),
      { numRuns: 300, seed: 31 },
    );
  });

  it("RT-4: duplicates and unknown ids among sound evidence leave the sound evidence", async () => {
    await fc.assert(
      fc.asyncProperty(stock, said, said, query, async (skills, sound, again, text) => {
        const shelf = shelfOf(skills);
        const noise = [
          ...evidence(sound),
          ...evidence(again).filter(({ entry }) => entry in sound),
          ...evidence({ "no:one": 1 }),
        ];
        const clean = await chainOf([link("one", sound)]).route(shelf, text, {});
        const noisy = await chainOf([link("one", () => noise)]).route(shelf, text, {});
        expect(answers(noisy)).toEqual(answers(clean));
      }),
      { numRuns: 200, seed: 32 },
    );
  });

  it("RT-3: removing a finder never adds a match", async () => {
    await fc.assert(
      fc.asyncProperty(stock, finders, fc.nat(), query, async (skills, links, at, text) => {
        const shelf = shelfOf(skills);
        const fewer = links.filter((_, place) => place !== at % links.length);
        const options = { thresholds: thorough, limit: 100 };
        const all = await chainOf(links).route(shelf, text, options);
        const less = await chainOf(fewer).route(shelf, text, options);
        const known = entriesIn(all.trace.ranked);
        expect([...entriesIn(less.trace.ranked)].filter((entry) => !known.has(entry))).toEqual([]);
        const matched = entriesIn(all.matches);
        expect(less.matches.map(({ entry }) => entry).filter((entry) => !matched.has(entry))).toEqual([]);
        expect(surest(less)).toBeLessThanOrEqual(surest(all));
      }),
      { numRuns: 300, seed: 33 },
    );
  });

  it("RT-3: what is matched, some link has said, also when the chain stops early", async () => {
    await fc.assert(
      fc.asyncProperty(stock, finders, query, async (skills, links, text) => {
        const { matches, trace } = await chainOf(links).route(shelfOf(skills), text, { limit: 100 });
        const told = new Set(trace.steps.flatMap((step) => step.said.map(({ entry }) => entry)));
        for (const entry of entriesIn(matches)) expect(told).toContain(entry);
        if (matches.length > 0) expect(trace.likelihood).toBeGreaterThanOrEqual(trace.thresholds.floor - 1e-9);
      }),
      { numRuns: 200, seed: 34 },
    );
  });

  it("RT-2: a judge never adds a match that no finder found", async () => {
    await fc.assert(
      fc.asyncProperty(
        stock,
        finders,
        said,
        fc.integer({ min: 1, max: 6 }),
        query,
        async (skills, links, word_, shown, text) => {
          const shelf = shelfOf(skills);
          const options = { thresholds: { ...thorough, floor: 0 }, limit: 100 };
          const judge = link("judge", word_, { role: "judges", shown });
          const found = await chainOf(links).route(shelf, text, options);
          const judged = await chainOf([...links, judge]).route(shelf, text, options);
          expect(entriesIn(judged.trace.ranked)).toEqual(entriesIn(found.trace.ranked));
          const known = entriesIn(found.matches);
          expect([...entriesIn(judged.matches)].filter((entry) => !known.has(entry))).toEqual([]);
        },
      ),
      { numRuns: 300, seed: 35 },
    );
  });

  const real: readonly Link[] = [exactLink, aliasLink, triggerLink, pathsLink, lexicalLink];
  const onReal = (skills: readonly Stocked[]) => shelfOf(skills, (documents) => createIndex([buildSegment(documents)]));
  const context = { paths: ["src/main.tf", "web/Dockerfile"] };

  it("RT-3: results do not depend on the order in which skills came to the shelf", async () => {
    const shuffled = stock.chain((skills) =>
      fc.tuple(fc.constant(skills), fc.shuffledSubarray([...skills], { minLength: skills.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, query, async ([skills, other], text) => {
        const routed = await chainOf(real).route(onReal(skills), text, { context });
        expect(await chainOf(real).route(onReal(other), text, { context })).toEqual(routed);
      }),
      { numRuns: 150, seed: 36 },
    );
  });

  it("T31, RT-5: nothing that the shelf, `among` or `kinds` leaves out reaches an answer or a trace", async () => {
    const bounds = fc.record({
      among: fc.option(
        fc.subarray([...ids, "no:one"]).map((each) => new Set(each)),
        { nil: undefined },
      ),
      kinds: fc.option(fc.subarray([...kinds]), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(stock, finders, bounds, query, async (skills, links, { among, kinds: wanted }, text) => {
        const shelf = onReal(skills);
        const options = { context, limit: 100, ...(among && { among }), ...(wanted && { kinds: wanted }) };
        const { matches, trace } = await chainOf([...real, ...links]).route(shelf, text, options);
        const seen = new Set([
          ...entriesIn(matches),
          ...entriesIn(trace.ranked),
          ...trace.steps.flatMap((step) => step.said.map(({ entry }) => entry)),
        ]);
        for (const id of seen) {
          const skill = skills.find((each) => each.id === id);
          expect(skill?.indexed).toBe(true);
          expect(among?.has(id) ?? true).toBe(true);
          expect(wanted?.includes(skill?.declared?.kind ?? "tool") ?? true).toBe(true);
        }
      }),
      { numRuns: 200, seed: 37 },
    );
  });
});
