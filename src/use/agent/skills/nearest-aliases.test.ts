import { describe, expect, it } from "vitest";
import { memorySkill } from "../../../testing/command-context.ts";
import { nearestAliases } from "./nearest-aliases.ts";

const near = (typed: string, ...aliases: string[]) =>
  nearestAliases(
    aliases.map((alias) => memorySkill(alias)),
    typed,
  );

describe("AG-5: names near to what was typed", () => {
  it("AG-5: those that it is a part of come first, whole words or not, then those a few letters away", () => {
    expect(near("deploy", "deplay", "Team/Deploy-all", "redeploy", "elephant")).toEqual([
      "Team/Deploy-all",
      "redeploy",
      "deplay",
    ]);
  });

  it("AG-5: at most three, each once, and none for hardly anything", () => {
    expect(near("test", "test-a", "test-b", "test-c", "test-d")).toEqual(["test-a", "test-b", "test-c"]);
    expect(near("tests", "test", "tests2")).toEqual(["tests2", "test"]);
    expect([near("", "a", "ab"), near("ab", "xxabxx")]).toEqual([[], []]);
  });

  it("AG-5, T26: what is longer than any name is not compared", () => {
    expect([near("x".repeat(81), "x".repeat(80)), near("x".repeat(80), "x".repeat(81))]).toEqual([[], []]);
  });
});
