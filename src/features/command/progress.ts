import type { Output } from "./output.ts";

/** A small job is done before anyone could read a counter. */
const worthShowing = 200;

/** Counts on one line of a terminal; elsewhere says a plain line at every tenth part (IN-23). */
export function progressOn(
  output: Output,
  doing: string,
): (done: number, total: number, details?: string | null) => void {
  let lastTenth = 0;
  return (done, total, details = null) => {
    // What comes from afar is slow enough to be watched from the first piece on.
    const isSlow = details !== null;
    if (total < worthShowing && !(isSlow && output.isWatched)) return;
    const line = `${doing}: ${done} of ${total}${isSlow ? ` ${details}` : ""}`;
    if (output.isWatched) {
      if (done === total) output.progress("");
      else if (isSlow || done % 50 === 0) output.progress(line);
      return;
    }
    const tenth = Math.floor((done / total) * 10);
    if (tenth > lastTenth) output.note(line);
    lastTenth = tenth;
  };
}
