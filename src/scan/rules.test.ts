import { describe, expect, it } from "vitest";
import { blocks, isAtLeast } from "../core/finding.ts";
import { createBundle } from "../skill/bundle.ts";
import { whyNotLinear } from "./linear.ts";
import type { Rule } from "./rule.ts";
import { rules } from "./rules.ts";
import { scanBundle } from "./scan.ts";

function levelsOf(rule: Rule, text: string) {
  const bundle = createBundle("example", [["SKILL.md", new TextEncoder().encode(text)]]);
  return scanBundle(bundle, [rule])
    .findings.filter(({ code }) => code === rule.id)
    .map(({ level }) => level);
}

it("RV-6: at least 40 rules, each with its own id", () => {
  expect(rules.length).toBeGreaterThanOrEqual(40);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id } of rules) expect(id).toMatch(/^[a-z]+\.[a-z]+(?:-[a-z]+)*$/);
});

describe.each(rules.map((rule) => [rule.id, rule] as const))("RV-6: %s", (_id, rule) => {
  it("says what and why, and has examples of both kinds", () => {
    expect(rule.title).toMatch(/^[a-z].*[^.]$/);
    expect(rule.why).toMatch(/^[A-Z].*\.$/s);
    expect(rule.hostile.length).toBeGreaterThanOrEqual(3);
    expect(rule.benign.length).toBeGreaterThanOrEqual(3);
  });

  it.each(rule.hostile.map((text, at) => [at, text] as const))("finds hostile example %i", (_at, text) => {
    expect(levelsOf(rule, text).some((level) => isAtLeast(level, rule.level))).toBe(true);
  });

  // Where a rule that blocks is only spoken of, it may say so below the line at which it blocks.
  it.each(rule.benign.map((text, at) => [at, text] as const))("leaves benign example %i alone", (_at, text) => {
    const found = levelsOf(rule, text);
    expect(blocks(rule) ? found.filter((level) => blocks({ level })) : found).toEqual([]);
  });

  it("T26: runs only patterns that are linear, over text in lower case", () => {
    const faults = rule.match.patterns.map((pattern) => ({ pattern, why: whyNotLinear(pattern) }));
    expect(faults.filter(({ why }) => why !== undefined)).toEqual([]);
    const sources = rule.match.patterns.map(({ source }) => source.replace(/\\[A-Za-z]/g, ""));
    expect(sources.filter((source) => /[A-Z]/.test(source))).toEqual([]);
  });
});
