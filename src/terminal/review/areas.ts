import type { Size } from "./state.ts";

/** How the screen is divided. On a low one the facts stand at the top of the body and scroll away with it. */
export interface Areas {
  readonly isLow: boolean;
  readonly hasFacts: boolean;
  /** Rows of the body of a review. */
  readonly body: number;
  /** Rows of the list. */
  readonly list: number;
  /** Columns for text: one to the left stays free for marks. */
  readonly text: number;
}

const [title, tabs, ruled, message, keys, heading, details] = [1, 1, 1, 1, 1, 1, 3];
/** As many as `factsOf` gives. */
const factRows = 5;

export function areasOf({ columns, rows }: Size): Areas {
  const isLow = rows < 16;
  const hasFacts = rows >= 24;
  const foot = isLow ? keys : message + keys;
  const aroundBody = title + tabs + (isLow ? 0 : 2 * ruled) + (hasFacts ? factRows : 0);
  const aroundList = title + (isLow ? 0 : heading + details);
  return {
    isLow,
    hasFacts,
    body: Math.max(1, rows - aroundBody - foot),
    list: Math.max(1, rows - aroundList - foot),
    text: columns - 2,
  };
}
