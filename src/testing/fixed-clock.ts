import type { Clock } from "../core/world.ts";

export interface FixedClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that stands still until it is told to go on. */
export function fixedClock(start = Date.UTC(2026, 0, 1)): FixedClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
