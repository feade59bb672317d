import fc from "fast-check";
import { expect, test } from "vitest";
import { fits, forbids, readCall } from "./tools/calls.ts";
import { parseForbidden, parsePattern } from "./tools/patterns.ts";
import { PathEntries } from "./path-entries.ts";

const names = ["a", "A", "b", "é", "e\u0301", "ß", "SS", "a.b"];
const wild = [...names, "*", "**", "a*", "e*", "*b", "?"];
const pattern = fc
  .array(fc.constantFrom(...wild), { minLength: 1, maxLength: 6 })
  .map((segments) => segments.join("/"));
const path = fc
  .array(fc.constantFrom(...names, ".", "?", ".."), { maxLength: 7 })
  .map((segments) => segments.join("/"));

function entriesOf(texts: readonly string[]) {
  return texts
    .map((text) => ({ ...parseForbidden(text), by: ["team/a"] }))
    .filter(({ reach }) => reach.kind === "paths");
}

test("SC-7: what is found by folders is what each entry for itself forbids", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(pattern, { maxLength: 12 }),
      fc.option(fc.array(path, { maxLength: 3 }), { nil: undefined }),
      fc.constantFrom("read", "list", "search"),
      (texts, paths, tool) => {
        const entries = entriesOf(texts.flatMap((text) => [`Read(${text})`, `LS(${text})`, `Grep(${text})`]));
        const call = readCall({ tool, paths });
        const forbidding = new PathEntries(entries).forbidding(call);
        expect(new Set(forbidding)).toEqual(new Set(entries.filter((entry) => forbids(entry, call))));
        expect(forbidding).toHaveLength(new Set(forbidding).size);
        found += forbidding.length;
      },
    ),
    { seed: 8, numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(1_000);
});

test("SC-3: what is said to be covered is forbidden, call by call", () => {
  let covered = 0;
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 4 }),
      pattern,
      fc.array(path, { minLength: 20, maxLength: 40 }),
      fc.constantFrom("read", "list"),
      (texts, allowed, paths, tool) => {
        const entries = new PathEntries(entriesOf(texts.flatMap((text) => [`Read(${text})`, `LS(${text})`])));
        const entry = parsePattern(`${tool}(${allowed})`);
        if (entry?.argument?.kind !== "path" || !entries.coverAll(entry.argument.segments)) return;
        for (const call of paths.map((each) => readCall({ tool, paths: [each] }))) {
          if (!fits(entry, call)) continue;
          covered++;
          expect([texts, allowed, call.paths, entries.forbidding(call).length > 0]).toContain(true);
        }
      },
    ),
    { seed: 8, numRuns: 20_000 },
  );
  expect(covered).toBeGreaterThan(1_000);
});

test("T26: many entries are told apart by the folders they name", () => {
  const entries = entriesOf(Array.from({ length: 5_000 }, (_, number) => `Read(parts/p${number}/**)`));
  const texts = (paths: readonly string[]) =>
    new PathEntries(entries).forbidding(readCall({ tool: "read", paths })).map(({ text }) => text);
  expect(texts(["parts/p7/x"])).toEqual(["Read(parts/p7/**)"]);
  expect(texts(["parts/p9/x", "PARTS/P7/x", "src/a"])).toEqual(["Read(parts/p7/**)", "Read(parts/p9/**)"]);
  expect(texts(["src/a"])).toEqual([]);
});
