import type { Output } from "./output.ts";

/** A small job is done before anyone could read a counter. */
const worthShowing = 200;

/** Counts on one line of a terminal; elsewhere says a plain line at every tenth part (IN-23). */
export function progressOn(output: Output, doing: string): (done: number, total: number) => void {
  let lastTenth = 0;
  return (done, total) => {
    if (total < worthShowing) return;
    if (output.isWatched) {
      if (done === total) output.progress("");
      else if (done % 50 === 0) output.progress(`${doing}: ${done} of ${total}`);
      return;
    }
    const tenth = Math.floor((done / total) * 10);
    if (tenth > lastTenth) output.note(`${doing}: ${done} of ${total}`);
    lastTenth = tenth;
  };
}
