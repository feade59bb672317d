import { describe, expect, test } from "vitest";
import { createCapabilities } from "./registry.ts";
import { selectCapabilities, type TaskTraits } from "./selector.ts";

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
    const { skills } = selectCapabilities({ task: "Add a button.", risk: "high", coding: true }, registry.view());
    expect(registry.validate(skills)).toEqual({ errors: [], findings: [] });
  });

  test("SC-9: companions are completed, and those of companions", () => {
    const registry = createCapabilities();
    const needs = (skill: string) => ({ compatibilityRules: [{ type: "requires", skill, reason: null }] });
    const define = (name: string, more: object) =>
      registry.register(
        { name, description: "One.", allowedTools: [], executionProtocol: [], ...more },
        { source: "x" },
      );
    define("first", needs("second"));
    define("second", needs("first"));
    // A registry in which something built in needs what is not.
    const stub = {
      get: (name: string) => {
        const guarded = registry.get("guarded");
        return name === "guarded" && guarded !== undefined ? { ...guarded, ...needs("x/first") } : registry.get(name);
      },
    };
    const { skills, why } = selectCapabilities({ task: "Look.", risk: "high", coding: false }, stub);
    expect(skills).toEqual(["guarded", "x/first", "x/second"]);
    expect(why).toEqual(["guarded: the risk is high", "x/first: guarded requires it", "x/second: x/first requires it"]);
  });

  test("a risk that is no word for one counts as the highest", () => {
    const risk = "extreme" as TaskTraits["risk"];
    expect(selectCapabilities({ task: "Look.", risk, coding: false }).skills).toEqual(["guarded"]);
  });
});
