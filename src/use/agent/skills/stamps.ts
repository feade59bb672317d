import type { Stamp } from "../../../base/world.ts";

/** A file as it was when it was read. */
export interface SeenFile {
  readonly mark: string;
  /** Whether a later write must have another mark. */
  readonly isSettled: boolean;
}

/** Disks count time in ticks, the coarsest of two seconds: what was written a moment ago may be written once more within the same. */
const longestTick = 2_000;

/** Both from before the reading: of what is written in between, the next stamp tells. */
export function seenAt({ mark, changedAt }: Stamp, now: number): SeenFile {
  return { mark, isSettled: now - changedAt >= longestTick };
}

/** Whether its bytes are those that were read. */
export function isSameFile(before: SeenFile | undefined, { mark }: Stamp): boolean {
  return before?.isSettled === true && before.mark === mark;
}
