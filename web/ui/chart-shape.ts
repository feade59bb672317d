/** Where everything of a chart stands, in pixels. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** How wide the place of one label is. */
  readonly band: number;
  /** Round values for the lines across. */
  readonly ticks: readonly number[];
  /** Which labels there is room for. */
  readonly named: readonly number[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

type Values = readonly (number | null)[];

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly isStacked: boolean;
  readonly most: number | undefined;
  readonly series: readonly Values[];
}

const margin = { left: 44, right: 10, top: 8, bottom: 24 };
const roomOfLabel = 76;

export function frameOf({ width, height, count, isStacked, most, series }: Shape): Frame {
  const [left, right] = [margin.left, width - margin.right];
  const [top, bottom] = [margin.top, height - margin.bottom];
  const ticks = ticksUpTo(most ?? highest(series, count, isStacked), most === undefined && areCounts(series) ? 1 : 0);
  const ceiling = ticks.at(-1) ?? 1;
  const band = (right - left) / Math.max(1, count);
  return {
    left,
    right,
    top,
    bottom,
    band,
    ticks,
    named: namedOf(count, Math.max(1, Math.floor((right - left) / roomOfLabel))),
    x: (index) => left + band * (index + 0.5),
    y: (value) => bottom - (value / ceiling) * (bottom - top),
  };
}

function highest(series: readonly Values[], count: number, isStacked: boolean): number {
  const columns = Array.from({ length: count }, (_, at) => series.map((values) => values[at] ?? 0));
  const heights = columns.map((column) =>
    isStacked ? column.reduce((sum, value) => sum + value, 0) : Math.max(0, ...column),
  );
  return Math.max(0, ...heights);
}

/** What is whole throughout is counted: nothing happened half a time. */
function areCounts(series: readonly Values[]): boolean {
  return series.flat().every((value) => value === null || Number.isInteger(value));
}

/** Four steps at the most, each 1, 2 or 5 of a power of ten, and none smaller than `least`. */
function ticksUpTo(most: number, least: number): number[] {
  if (most <= 0) return [0, 1];
  const rough = Math.max(most / 4, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

function namedOf(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / room));
  const all = Array.from({ length: count }, (_, index) => index);
  // Counted from the end: the latest is the one that is looked for.
  return all.filter((index) => (count - 1 - index) % every === 0);
}

export function bandAt({ left, right, band }: Frame, x: number): number | null {
  return x < left || x >= right ? null : Math.floor((x - left) / band);
}

interface Stacked {
  readonly column: number;
  readonly of: number;
  readonly from: number;
  readonly to: number;
}

export function stacksOf(series: readonly Values[]): Stacked[] {
  const heights: number[] = [];
  return series.flatMap((values, of) =>
    values.flatMap((value, column) => {
      if (value === null || value <= 0) return [];
      const from = heights[column] ?? 0;
      heights[column] = from + value;
      return [{ column, of, from, to: from + value }];
    }),
  );
}

/** A line that is broken where nothing is known. */
export function pathOf({ x, y, bottom }: Frame, values: Values, isClosed: boolean): string {
  const runs: { at: number; value: number }[][] = [[]];
  values.forEach((value, at) => (value === null ? runs.push([]) : runs.at(-1)?.push({ at, value })));
  return runs
    .filter((run) => run.length > 0)
    .map((run) => {
      const line = run.map(({ at, value }) => `${round(x(at))} ${round(y(value))}`).join("L");
      const [first, last] = [run[0]?.at ?? 0, run.at(-1)?.at ?? 0];
      return isClosed ? `M${round(x(first))} ${bottom}L${line}L${round(x(last))} ${bottom}Z` : `M${line}`;
    })
    .join("");
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
