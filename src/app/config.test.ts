import { expect, test } from "vitest";
import { parseEnvironment } from "./config.ts";

test.each([
  [{}, "auto"],
  [{ NO_COLOR: "1" }, "never"],
  [{ NO_COLOR: "" }, "auto"],
  [{ FORCE_COLOR: "1" }, "always"],
  [{ FORCE_COLOR: "0" }, "auto"],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, "never"],
  [{ TERM: "dumb" }, "never"],
])("colours with %j: %s", (variables, colour) => {
  expect(parseEnvironment(variables).colour).toBe(colour);
});

test("debugging is off unless asked for", () => {
  expect(parseEnvironment({}).debug).toBe(false);
  expect(parseEnvironment({ SKILLWARD_DEBUG: "1" }).debug).toBe(true);
});
