import { expect, it } from "vitest";
import { whyNotLinear } from "../linear.ts";
import { ScanText } from "../text.ts";
import { flows } from "./flows.ts";

const saved = flows([String.raw`\bget\s(\S{1,40})`], [String.raw`\brun\s(\S{1,40})`], 40, "get");

function found(text: string): string[] {
  const scanned = new ScanText("SKILL.md", text);
  return saved.find(scanned).map(({ start, end }) => text.slice(start, end));
}

it("RV-6: what is filled and what is used must have the same name", () => {
  expect(found("get a.sh then run a.sh now")).toEqual(["get a.sh then run a.sh"]);
  expect(found("get a.sh then run b.sh now")).toEqual([]);
});

it("RV-6: a path and quotes do not make another file of it", () => {
  expect(found(`get https://example.com/x/a.sh then run "./a.sh"`)).toHaveLength(1);
  expect(found("get a.sh?token=1 then run /tmp/a.sh")).toHaveLength(1);
});

it("RV-6: only what comes after it, and not far", () => {
  expect(found("run a.sh then get a.sh")).toEqual([]);
  expect(found(`get a.sh ${"x ".repeat(40)} run a.sh`)).toEqual([]);
});

it("RV-6: of several uses the one of its name counts", () => {
  expect(found("get a.sh run b.sh run c.sh run a.sh")).toHaveLength(1);
  expect(found("get a.sh get b.sh run b.sh run a.sh")).toHaveLength(2);
});

it("RV-6: without one of its words it does not look", () => {
  const text = new ScanText("SKILL.md", "nothing to run here");
  expect(saved.find(text)).toEqual([]);
  expect(text.steps).toBe(0);
});

it("T26: its work is counted, and its patterns are known", () => {
  const text = new ScanText("SKILL.md", "get a run a ".repeat(2000));
  expect(saved.find(text).length).toBeGreaterThan(0);
  expect(text.steps).toBeLessThanOrEqual(2 * text.lower.length);
  for (const pattern of saved.patterns) expect(whyNotLinear(pattern)).toBeUndefined();
});
