import { describe, expect, test } from "vitest";
import { frameOf } from "../../web/ui/chart-shape.ts";

function ticksOf(series: readonly (readonly (number | null)[])[], most?: number): readonly number[] {
  const count = series[0]?.length ?? 0;
  return frameOf({ width: 400, height: 160, count, isStacked: true, most, series }).ticks;
}

describe("SV-3: the axis of a chart", () => {
  test.each<[values: readonly (number | null)[], ticks: readonly number[]]>([
    [
      [0, 0],
      [0, 1],
    ],
    [
      [1, 0, null],
      [0, 1],
    ],
    [
      [2, 1],
      [0, 1, 2],
    ],
    [[3], [0, 1, 2, 3]],
    [[5], [0, 2, 4, 6]],
    [
      [130, 7],
      [0, 50, 100, 150],
    ],
  ])("of counts such as %j has whole numbers alone", (values, ticks) => {
    expect(ticksOf([values])).toEqual(ticks);
  });

  test("of shares has parts of one, also where each is none or all", () => {
    expect(ticksOf([[1, 0]], 1)).toEqual([0, 0.5, 1]);
    expect(ticksOf([[0.12, 0.3]])).toEqual([0, 0.1, 0.2, 0.3]);
  });

  test("of stacked counts goes up to their sum", () => {
    expect(ticksOf([[1], [1]])).toEqual([0, 1, 2]);
  });
});
