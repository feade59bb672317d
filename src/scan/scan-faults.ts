import type { Level } from "../core/finding.ts";

interface ReviewFault {
  readonly level: Level;
  readonly why: string;
}

/** What is said of skills among others, and of the scanner's own list. The rules of the scanner speak for themselves. */
export const reviewFaults = {
  "name.alike": {
    level: "medium",
    why: "A skill of somebody else has this name, or one that reads like it. Make sure that it is not meant to be taken for the other one.",
  },
  "attached.secrets-network": {
    level: "medium",
    why: "One skill on this configuration or task can read secrets, another one can reach the network. In one prompt they can send what neither could alone: attach only what belongs together.",
  },
  "scan.more": {
    level: "info",
    why: "There are more findings than are listed. Every kind that was found is among the listed ones, by its heaviest finding.",
  },
} as const satisfies Record<string, ReviewFault>;

const table: ReadonlyMap<string, ReviewFault> = new Map(Object.entries(reviewFaults));

export function reviewFaultOf(code: string): ReviewFault | undefined {
  return table.get(code);
}
