import { foldText } from "./fold.ts";
import type { Run } from "./invisible.ts";
import type { Matcher } from "./rule.ts";

/** Runs of characters in the text as it was written; `decode` says what each of them hides. */
export function unseen(
  runsIn: (raw: string) => readonly Run[],
  decode: (run: string, raw: string, at: Run) => string,
): Matcher {
  return {
    patterns: [],
    find: (text) => {
      text.steps += text.raw.length;
      return runsIn(text.raw).map(({ start, end }, at) => {
        if (at >= mostDecoded) return { start, end, inRaw: true };
        const run = text.raw.slice(start, Math.min(end, start + longest));
        return { start, end, inRaw: true, decoded: decode(run, text.raw, { start, end }) };
      });
    },
  };
}

/** More than are ever listed of one rule. */
const mostDecoded = 10;
/** More than is ever shown of one finding. */
const longest = 1200;
const around = 60;

/** The words around a run as they read without it. */
export function wordsAround(run: string, raw: string, { start, end }: Run): string {
  const before = raw.slice(Math.max(0, start - around), start);
  const after = raw.slice(end, end + around);
  const [from, to] = [before.lastIndexOf("\n") + 1, after.indexOf("\n")];
  return foldText(`${before.slice(from)}${run}${to === -1 ? after : after.slice(0, to)}`).trim();
}
