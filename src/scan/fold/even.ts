/** A text whose words stand as far from one another as a reader sees them, however much was put between. */
interface Evened {
  readonly text: string;
  /** Where in it a line of the original begins that was joined with the one before. */
  readonly joins: readonly number[];
}

/** Every step is one pass (T26). Indents, and gaps so wide that they hide something, can still be told from others. */
export function evened(folded: string): Evened {
  const shown = folded.includes("<") ? folded.replace(emptyMarks, "") : folded;
  const linked = shown.includes("](") ? shown.replace(linkToNothing, "$1") : shown;
  const whole = /''|""/.test(linked) ? linked.replace(emptyQuotes, "") : linked;
  const plain = whole.includes("\\ ") ? whole.replace(escapedBlank, " ") : whole;
  const even = plain.replace(blanks, (run: string, at: number) => gapFor(run, at, plain));
  return even.includes("\\\n") ? joinedLines(even) : { text: even, joins: [] };
}

/** Tags and comments that show nothing and say nothing. */
const emptyMarks =
  /<\/?(?:b|i|u|s|q|em|tt|strong|small|big|sub|sup|span|font|mark|ins|del|wbr)[ \t]{0,4}\/?>|<!--[ \t.*_-]{0,40}-->/gi;

const linkToNothing = /(?<![\w\])!])\[([^[\]\n]{1,80})\]\((?:#[\w-]{0,60})?\)/g;

/** A shell leaves them out: `c''url`. */
const emptyQuotes = /(?<=[A-Za-z])(?:''|""){1,8}(?=[A-Za-z])/g;

const escapedBlank = /(?<=[A-Za-z,])\\ (?=[A-Za-z])/g;

const blanks = /[ \t]{2,}|\t/g;
const longestIndent = 6;
/** So wide a gap is found by a rule of its own. */
const widest = 150;

function gapFor(run: string, at: number, text: string): string {
  const isIndent = at === 0 || text.charAt(at - 1) === "\n";
  if (run.length >= widest && !isInTable(text, at, at + run.length)) return run;
  return isIndent ? run.slice(0, longestIndent) : " ";
}

/** That rule leaves out what fills up the columns of a table. */
function isInTable(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return /^\s{0,40}[|\u2500-\u257f]|[|\u2500-\u257f]$/.test(line) || /[|\u2500-\u257f]/.test(text.charAt(end));
}

/** Lines that go on behind a backslash, as one. What would be something else as the end of a line stays where it is. */
function joinedLines(text: string): Evened {
  const joins: number[] = [];
  let [result, copied, lineStart] = ["", 0, 0];
  for (let at = text.indexOf("\\\n"); at !== -1; at = text.indexOf("\\\n", at + 1)) {
    lineStart = Math.max(lineStart, text.lastIndexOf("\n", at - 1) + 1);
    const next = text.slice(at + 2, at + 2 + 24);
    if (standsAlone.test(next) || comment.test(text.slice(lineStart, at))) continue;
    const indent = /^[ \t]*/.exec(next)?.[0].length ?? 0;
    result += `${text.slice(copied, blankStart(text, at, copied))} `;
    copied = at + 2 + indent;
    joins.push(result.length);
  }
  return { text: result + text.slice(copied), joins };
}

function blankStart(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && /[ \t]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** Empty, or the beginning of something that Markdown sets apart. */
const standsAlone = /^[ \t]*(?:\n|$|#|---|<!--|[ \t>*+-]{0,12}(?:```|~~~))/;
/** It ends with the line, whatever its last character. */
const comment = /(?:^|\s)(?:#|\/\/)/;
