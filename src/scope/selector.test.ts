import { describe, expect, test } from "vitest";
import { createCapabilities } from "./registry.ts";
import { selectCapabilities, type TaskTraits } from "./built-ins.ts";

const pair = ["opencode-implementer", "specification-engine"];

describe("the selector (SC-9)", () => {
  test.each<[TaskTraits["risk"], boolean, readonly string[]]>([
    ["low", false, []],
    ["medium", false, []],
    ["high", false, ["guarded"]],
    ["low", true, pair],
    ["medium", true, pair],
    ["high", true, ["guarded", ...pair]],
  ])("SC-9: risk %s, coding %s", (risk, coding, expected) => {
    const { skills, why } = selectCapabilities({ task: "Add a button.", risk, coding });
    expect(skills).toEqual(expected);
    expect(why).toHaveLength(skills.length);
  });

  test("SC-9: what it picks can be used", () => {
    const registry = createCapabilities();
    const { skills } = selectCapabilities({ task: "Add a button.", risk: "high", coding: true });
    expect(registry.validate(skills)).toEqual({ errors: [], findings: [] });
  });

  test("a risk that is no word for one counts as the highest", () => {
    const risk = "extreme" as TaskTraits["risk"];
    expect(selectCapabilities({ task: "Look.", risk, coding: false }).skills).toEqual(["guarded"]);
  });
});
