import { describe, expect, test } from "vitest";
import { blocks, isAtLeast } from "./finding.ts";

describe("findings", () => {
  test("high and critical block, the rest does not", () => {
    const isBlocking = (level: Parameters<typeof isAtLeast>[0]) => blocks({ level });
    expect((["info", "low", "medium", "high", "critical"] as const).map(isBlocking)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(isAtLeast("low", "medium")).toBe(false);
  });
});
