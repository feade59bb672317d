import type { Hit, Matcher } from "../rule.ts";
import { ScanText } from "../text.ts";
import { orders } from "./orders.ts";

/** A part of the text that readers of the page do not see, with what it says. */
export interface Concealed {
  readonly start: number;
  readonly end: number;
}

/** Parts, in order, in which an agent is told to do something. What they say is shown as decoded. */
export function ordersIn(partsOf: (text: ScanText) => readonly Concealed[], condition: Matcher = orders): Matcher {
  return {
    patterns: condition.patterns,
    find: (text) => {
      text.steps += text.text.length;
      const parts = partsOf(text);
      return parts.length === 0 ? [] : partsWith(parts, condition, text);
    },
  };
}

/** What ends such a part, and says nothing. */
const closing = /(?:\s{0,4}-->|\s{0,4}<\/details>|\][([]|["')]{1,2}|\*\/\})$/;

/** More than any matcher reaches: nothing is found that begins in one part and ends in another. */
const apart = "\n".repeat(256);

/** All parts are looked at together, by themselves: an order is not made of what stands around them. One pass (T26). */
function partsWith(parts: readonly Concealed[], condition: Matcher, whole: ScanText): readonly Hit[] {
  const together = parts.map(({ start, end }) => whole.text.slice(start, end)).join(apart);
  const text = new ScanText(whole.file, together, "markdown");
  const hits = condition.find(text);
  whole.steps += text.steps;
  let [offset, next] = [0, 0];
  return parts.flatMap(({ start, end }) => {
    const [from, to] = [offset, offset + end - start];
    offset = to + apart.length;
    while ((hits[next]?.start ?? Number.POSITIVE_INFINITY) < from) next++;
    const hit = hits[next];
    if (hit === undefined || hit.start >= to) return [];
    return [
      {
        start,
        end,
        decoded: whole.text
          .slice(start + hit.start - from, end)
          .replace(closing, "")
          .trim(),
      },
    ];
  });
}

/** From every `open` to the next `close` or, without one, to the end of the text. Nothing is searched twice (T26). */
export function between(text: string, open: RegExp, close: string): readonly Concealed[] {
  const parts: Concealed[] = [];
  const opening = new RegExp(open.source, "g");
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const stop = text.indexOf(close, opening.lastIndex);
    const end = stop === -1 ? text.length : stop + close.length;
    parts.push({ start: found.index, end });
    opening.lastIndex = Math.max(end, opening.lastIndex);
  }
  return parts;
}
