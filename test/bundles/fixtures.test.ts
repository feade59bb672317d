import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SkillReport, type ValidationReport, validate } from "../../src/features/bundles/validate.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { Finding } from "../../src/core/finding.ts";
import { type Profile, profiles } from "../../src/core/limits.ts";
import { faults } from "../../src/skill/faults.ts";
import { type Expected, elsewhere, fixtureFolder, fixtures, generated } from "../support/fixtures.ts";

type Row = [title: string, fixture: string, expected: Expected, profile: Profile];

const rows = rowsOf("workspace", fixtures);
const otherRows = profiles.flatMap((profile) => rowsOf(profile, elsewhere[profile] ?? {}));
const { files } = createWorld();

function rowsOf(profile: Profile, table: Readonly<Record<string, Expected>>): Row[] {
  return Object.entries(table).map(([fixture, expected]) => [
    `${expected.clause} ${fixture}`,
    fixture,
    expected,
    profile,
  ]);
}

interface Verdict extends Pick<Expected, "loadable" | "strict" | "passes"> {
  readonly codes: readonly string[];
}

function check(fixture: string, profile: Profile = "workspace"): Promise<ValidationReport> {
  return validate(files, [join(fixtureFolder, fixture)], { profile });
}

async function verdictOf(fixture: string, profile: Profile): Promise<Verdict> {
  const report = await check(fixture, profile);
  return {
    codes: [...new Set(findingsOf(report).map(({ code }) => code))].toSorted(),
    loadable: all(report, (skill) => skill.loadable),
    strict: all(report, (skill) => skill.strict),
    passes: report.passes,
  };
}

function findingsOf({ skills, findings }: ValidationReport): Finding[] {
  return [...skills.flatMap((skill) => skill.findings), ...findings];
}

/** Of a folder with several skills: all of them. Of a folder without any: no. */
function all({ skills }: ValidationReport, verdict: (skill: SkillReport) => boolean): boolean {
  return skills.length > 0 && skills.every(verdict);
}

/** A line that stands in the file it names: an editor must be able to jump there. */
function isPlace(folder: string, { at }: Finding): boolean {
  if (at.file === "") return false;
  const lines = /(?:SKILL\.md|scope\.yaml)$/.test(at.file) ? lineCount(join(folder, at.file)) : 1;
  return Number.isInteger(at.line) && at.line >= 1 && at.line <= lines;
}

function lineCount(path: string): number {
  try {
    return readFileSync(path, "latin1").split(/\r\n|\n|\r/).length;
  } catch {
    return 1; // a folder of that name, or nothing: only the path as a whole can be meant
  }
}

describe("SK-15 the fixture folder", () => {
  it("has a row for every folder and a folder for every row", () => {
    expect(readdirSync(fixtureFolder).toSorted()).toEqual(Object.keys(fixtures).toSorted());
  });

  it("shows every fault, save those that need a generated tree", () => {
    const shown = new Set<string>([...rows, ...otherRows].flatMap(([, , { codes }]) => codes));
    const unseen = Object.keys(faults).filter((code) => !shown.has(code));
    expect(unseen.toSorted()).toEqual(Object.keys(generated).toSorted());
  });

  it("is one set of skills, with no collision but the two that are made", async () => {
    const { skills, findings } = await validate(files, [fixtureFolder]);
    expect(new Set(skills.map(({ path }) => path)).size).toBe(skills.length);
    const codes = findings.map(({ code }) => code).filter((code) => code.startsWith("set."));
    expect(codes.toSorted()).toEqual(["set.collision", "set.duplicate"]);
  });
});

describe("each fixture holds its row", () => {
  it.each(rows)("%s", async (_, fixture, { clause: _clause, ...expected }, profile) => {
    expect(await verdictOf(fixture, profile)).toEqual(expected);
  });

  it.each(rows)("SK-15 file and line of every finding: %s", async (_, fixture) => {
    const { skills, findings } = await check(fixture);
    const wrong = skills.flatMap(({ path, findings: own }) => own.filter((finding) => !isPlace(path, finding)));
    expect([...wrong, ...findings.filter((finding) => !isPlace("", finding))]).toEqual([]);
  });

  it.each(rows)("SK-5 profile strict passes what is strict and not high: %s", async (_, fixture, { strict }) => {
    const report = await check(fixture, "strict");
    const isHigh = findingsOf(report).some(({ level }) => level === "high" || level === "critical");
    expect(report.passes).toBe(strict && !isHigh);
  });
});

describe("the profiles that ask for more hold their rows", () => {
  it.each(otherRows)("%s", async (_, fixture, { clause: _clause, ...expected }, profile) => {
    expect(await verdictOf(fixture, profile)).toEqual(expected);
  });
});

describe("T21 hostile keys", () => {
  it.each(["yaml-proto-key", "yaml-constructor-key", "yaml-merge-key"])("%s pollutes nothing", async (fixture) => {
    await check(fixture);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
