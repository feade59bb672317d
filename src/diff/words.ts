import { countCharacters, nfkc } from "../core/text.ts";
import { matchEqual, type Steps } from "./match.ts";
import { isBlank, type Segment, withoutBlanks } from "./visible.ts";

/** A line and the one it became, each with what changed in it marked. */
export interface LinePair {
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
}

/** What changed between two lines; undefined when they have so little in common that each is better read by itself. */
export function compareLines(before: string, after: string, steps: Steps): LinePair | undefined {
  if (withoutBlanks(before) === withoutBlanks(after)) return compareBlanks(before, after);
  if (!steps.spend(before.length + after.length)) return compareEnds(before, after);
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const pair = new PairBuilder();
  let [x, y, common] = [0, 0, 0];
  for (const [nextX, nextY] of [...matchEqual(old, now, steps), [old.length, now.length] as const]) {
    addChange(pair, old.slice(x, nextX).join(""), now.slice(y, nextY).join(""));
    const token = old[nextX] ?? "";
    if (token.trim() !== "") common += token.length;
    pair.addSame(token);
    [x, y] = [nextX + 1, nextY + 1];
  }
  return isLittle(common, before, after) ? undefined : pair;
}

function isLittle(common: number, before: string, after: string): boolean {
  return common * 4 < Math.min(before.length, after.length);
}

/** All between what is equal at the start and at the end, where there are no steps left for more. */
function compareEnds(before: string, after: string): LinePair | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  if (/[\ud800-\udbff]/.test(before.charAt(head - 1))) head--;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (/[\udc00-\udfff]/.test(before.charAt(before.length - tail))) tail--;
  const pair = new PairBuilder();
  pair.addSame(before.slice(0, head));
  addChange(pair, before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  pair.addSame(before.slice(before.length - tail));
  return isLittle(head + tail, before, after) ? undefined : pair;
}

/** Words whole, since half a changed word reads badly; everything else one by one, the unseen above all. */
function tokensOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+|[^]/gu) ?? [];
}

function addChange(pair: PairBuilder, before: string, after: string): void {
  if (before !== "" && after !== "" && withoutBlanks(before) === withoutBlanks(after))
    pair.addPair(compareBlanks(before, after));
  else pair.addChanged(before, after, lookAlike(before, after));
}

/** Where two texts may look the same and are not, whatever is not ASCII is shown with its code. */
function lookAlike(before: string, after: string): boolean {
  if (before === "" || after === "") return false;
  if (nfkc(before) === nfkc(after)) return true;
  return isAscii(before) !== isAscii(after) && countCharacters(before) === countCharacters(after);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Two texts that differ in blanks and unseen characters only: exactly those are marked (T28). */
function compareBlanks(before: string, after: string): LinePair {
  const [old, now] = [Array.from(before), Array.from(after)];
  const pair = new PairBuilder();
  let [x, y] = [0, 0];
  while (x < old.length || y < now.length) {
    const [endX, endY] = [endOfBlank(old, x), endOfBlank(now, y)];
    addBlank(pair, old.slice(x, endX), now.slice(y, endY));
    pair.addSame(old[endX] ?? "");
    [x, y] = [endX + 1, endY + 1];
  }
  return pair;
}

function endOfBlank(characters: readonly string[], start: number): number {
  let end = start;
  while (end < characters.length && isBlank(characters[end] ?? "")) end++;
  return end;
}

function addBlank(pair: PairBuilder, before: readonly string[], after: readonly string[]): void {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  pair.addSame(before.slice(0, head).join(""));
  pair.addChanged(
    before.slice(head, before.length - tail).join(""),
    after.slice(head, after.length - tail).join(""),
    false,
  );
  pair.addSame(before.slice(before.length - tail).join(""));
}

class PairBuilder implements LinePair {
  readonly before: Segment[] = [];
  readonly after: Segment[] = [];

  addSame(text: string): void {
    append(this.before, { text, mark: "same", codes: false });
    append(this.after, { text, mark: "same", codes: false });
  }

  addChanged(before: string, after: string, codes: boolean): void {
    append(this.before, { text: before, mark: "changed", codes });
    append(this.after, { text: after, mark: "changed", codes });
  }

  addPair({ before, after }: LinePair): void {
    for (const segment of before) append(this.before, segment);
    for (const segment of after) append(this.after, segment);
  }
}

function append(list: Segment[], segment: Segment): void {
  if (segment.text === "") return;
  const last = list.at(-1);
  if (last?.mark === segment.mark && last.codes === segment.codes)
    list[list.length - 1] = { ...last, text: last.text + segment.text };
  else list.push(segment);
}
