import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fits, forbids, readCall } from "./calls.ts";
import { covers, overlaps, parseForbidden, parsePattern } from "./patterns.ts";
import type { ToolPattern } from "./tools.ts";

function pattern(text: string): ToolPattern {
  const parsed = parsePattern(text);
  if (parsed === null) throw new Error(`${text} is of no known form`);
  return parsed;
}

describe("SC-3: which entries cover which", () => {
  test.each([
    ["Read", "read"],
    ["edit", "patch"],
    ["Edit", "Edit(src/**)"],
    ["Edit(src/**)", "patch(src/**)"],
    ["Edit(src/**)", "Edit(src/a/*.ts)"],
    ["Edit(**)", "Edit(src/*.ts)"],
    ["Bash", "Bash(*)"],
    ["Bash(*)", "Bash(git:*)"],
    ["Bash(git:*)", "Bash(git status)"],
    ["Bash(git:*)", "Bash(git add *)"],
    ["Bash(git:*)", "Bash(git *)"],
    ["Bash(npm run test)", "Bash(npm  run 'test')"],
    ["Bash(git -C a:*)", "Bash(git -C a status)"],
    ["Bash(git:*)", "Bash(git config:*)"],
    ["Bash(git bisect run sh)", "Bash(git bisect run sh)"],
  ])("%s covers %s", (wide, narrow) => {
    expect(covers(pattern(wide), pattern(narrow))).toBe(true);
  });

  test.each([
    ["read", "write"],
    ["patch", "edit"],
    ["Edit(**)", "Edit"],
    ["Bash(*)", "Bash"],
    ["Bash(git status)", "Bash(git:*)"],
    ["Bash(git status)", "Bash(git status:*)"],
    ["Bash(git add:*)", "Bash(git:*)"],
    ["Bash(git:*)", "Bash(gitk)"],
    // The wide one does not let through what only the narrow one names.
    ["Bash(git:*)", "Bash(git -C a status)"],
    ["Bash(git bisect:*)", "Bash(git bisect run:*)"],
    ["Bash(*)", "Bash(git config a.b c)"],
    ["Edit(src/*)", "Edit(src/a/b)"],
    ["Edit(src/**)", "Edit(docs/a)"],
    ["Edit(src/**)", "Edit(src)"],
    ["patch(src/**)", "Edit(src/**)"],
  ])("%s does not cover %s", (wide, narrow) => {
    expect(covers(pattern(wide), pattern(narrow))).toBe(false);
  });
});

describe("SC-4: which entries meet what is forbidden", () => {
  test.each([
    ["*", "read", true],
    ["write", "Write", true],
    ["write", "read", false],
    ["patch", "edit", true],
    ["edit", "patch", true],
    ["Bash(rm:*)", "Bash(git:*)", true],
    ["Bash(rm:*)", "read", false],
    ["mcp__a__*", "mcp__a__b", true],
    ["mcp__a__*", "mcp__b__b", false],
    ["Edit(src/**)", "Edit", true],
    ["Edit(src/**)", "Write(src/**)", false],
    ["Edit(src/**)", "patch(SRC/a)", true],
    ["Edit(src/**)", "Edit(docs/**)", false],
    ["Edit(src/secret/**)", "Edit(src/**)", true],
    ["Edit(src/secret/**)", "Edit(src/open/**)", false],
    ["Edit(**/.env)", "Edit(docs/a)", true],
    ["Edit(src/*.ts)", "Edit(src/*.md)", true],
    ["Edit(src/*.ts)", "Edit(src/a.md)", false],
    ["Grep(src/secret/**)", "Grep(src)", true],
    ["Edit(caf\u00e9)", "Edit(cafe*)", true],
  ])("%s and %s: %s", (forbidden, allowed, meet) => {
    expect(overlaps(parseForbidden(forbidden), pattern(allowed))).toBe(meet);
  });
});

describe("SC-3: what is said of entries holds for every call", () => {
  const segment = fc.constantFrom("a", "A", "b", "*", "a*", "?", "**");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
  const word = fc.constantFrom("git", "npm", "add", "-c", "config", "a.b", "bisect", "run", "--get", "sed", "-e", "e");
  const start = fc.constantFrom("git", "git", "sed", "npm");
  const words = fc
    .tuple(start, fc.array(word, { maxLength: 3 }))
    .map(([first, more]) => `${first} ${more.join(" ")}`.trim());
  const fileTool = fc.constantFrom("read", "list", "Grep", "Edit", "patch");
  const entry = fc
    .oneof(
      fc.constantFrom("read", "edit", "patch", "list", "Bash", "Bash(*)", "mcp__a__b"),
      fc.tuple(fileTool, path).map(([tool, where]) => `${tool}(${where})`),
      fc.tuple(words, fc.constantFrom("", ":*")).map(([some, end]) => `Bash(${some}${end})`),
    )
    .filter((text) => parsePattern(text) !== null);
  const plainPath = fc
    .array(fc.constantFrom("a", "A", "b", "ab"), { maxLength: 4 })
    .map((segments) => ["./", ...segments].join("/"));
  const call = fc.oneof(
    fc.record({ tool: fileTool, paths: fc.array(plainPath, { maxLength: 2 }) }),
    fc.record({ tool: fc.constant("Bash"), command: words }),
    fc.record({ tool: fc.constantFrom("mcp__a__b", "mcp__a", "read", "edit", "read ") }),
  );

  test("what a covered entry lets through, the one that covers it does", () => {
    let met = 0;
    fc.assert(
      fc.property(entry, entry, fc.array(call, { minLength: 20, maxLength: 40 }), (wide, narrow, calls) => {
        if (!covers(pattern(wide), pattern(narrow))) return;
        for (const read of calls.map(readCall)) {
          if (!fits(pattern(narrow), read)) continue;
          met++;
          expect([wide, narrow, read, fits(pattern(wide), read)]).toEqual([wide, narrow, read, true]);
        }
      }),
      { numRuns: 4000, seed: 1 },
    );
    expect(met).toBeGreaterThan(100);
  });

  test("T33: no call of an entry is forbidden by what does not meet it", () => {
    const forbidden = fc.oneof(entry, fc.constantFrom("mcp__a__*", "mcp__a", "mcp__b__*"));
    let met = 0;
    fc.assert(
      fc.property(forbidden, entry, fc.array(call, { minLength: 20, maxLength: 40 }), (no, yes, calls) => {
        if (overlaps(parseForbidden(no), pattern(yes))) return;
        for (const read of calls.map(readCall)) {
          if (!fits(pattern(yes), read)) continue;
          met++;
          expect([no, yes, read, forbids(parseForbidden(no), read)]).toEqual([no, yes, read, false]);
        }
      }),
      { numRuns: 4000, seed: 1 },
    );
    expect(met).toBeGreaterThan(100);
  });

  test("an entry that forbids reaches every call that the same entry would let through", () => {
    let met = 0;
    fc.assert(
      fc.property(entry, fc.array(call, { minLength: 20, maxLength: 40 }), (text, calls) => {
        for (const read of calls.map(readCall)) {
          if (!fits(pattern(text), read)) continue;
          met++;
          expect([text, read, forbids(parseForbidden(text), read)]).toEqual([text, read, true]);
        }
      }),
      { numRuns: 1000, seed: 1 },
    );
    expect(met).toBeGreaterThan(100);
  });
});
