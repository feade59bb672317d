import { longestContext } from "./cut.ts";
import { type Match, matchEqual, type Steps } from "./match.ts";
import type { TextLines } from "./read-text.ts";
import { costOfLine, lengthOf, needOf, type Region, regionsOf } from "./rows.ts";

/** How many lines around a change are shown with it. */
export const contextLines = 3;

/** Two texts compared line by line, their ends aside; nothing of it is made visible yet. */
export interface Comparison {
  readonly before: TextLines;
  readonly after: TextLines;
  readonly matches: readonly Match[];
  readonly changes: readonly Change[];
  readonly added: number;
  readonly removed: number;
  /** What it takes to show all of it, in characters. */
  readonly need: number;
}

export interface Change {
  readonly region: Region;
  /** What it takes to show it, and the lines around it. */
  readonly need: { readonly removed: number; readonly added: number; readonly context: number };
}

export function compareTexts(before: TextLines, after: TextLines, steps: Steps): Comparison {
  const matches = matchEqual(before.lines, after.lines, steps);
  const regions = regionsOf(matches, before.lines.length, after.lines.length);
  const changes = regions.map((region) => changeOf(region, before.lines, after.lines));
  return {
    before,
    after,
    matches,
    changes,
    added: regions.reduce((sum, region) => sum + lengthOf(region.after), 0),
    removed: regions.reduce((sum, region) => sum + lengthOf(region.before), 0),
    need: changes.reduce((sum, change) => sum + wholeNeed(change), 0),
  };
}

export function wholeNeed({ need }: Change): number {
  return need.removed + need.added + need.context;
}

function changeOf(region: Region, before: readonly string[], after: readonly string[]): Change {
  const { from, to } = region.after;
  const around = [...after.slice(Math.max(0, from - contextLines), from), ...after.slice(to, to + contextLines)];
  const context = around.reduce((sum, line) => sum + costOfLine(line, longestContext), 0);
  const [removed, added] = [needOf(before, region.before), needOf(after, region.after)];
  return { region, need: { removed, added, context } };
}
