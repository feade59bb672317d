import { latinWords } from "./lookalikes.ts";

/** A text as a model reads it (T27). The ends of its lines stay where they are. Every step is one pass (T26). */
export function foldText(raw: string): string {
  const text = raw.includes("&") ? resolveEntities(raw) : raw;
  if (!/[^\t\n\x20-\x7e]/.test(text)) return text;
  const seen = text.replace(terminalStyle, "").replace(/\r\n/g, "\n").replace(blank, " ").replace(unseen, "");
  const plain = seen.replace(quotes, (mark) => (mark < "\u2018" ? "-" : mark < "\u201c" ? "'" : '"'));
  const letters = plainLetters(plain);
  return latinWords(hasAccents.test(letters) ? letters.replace(accents, "") : letters);
}

/** What colours or hides text in a terminal. Other sequences keep their content: a link's address is in one. */
// oxlint-disable-next-line no-control-regex
const terminalStyle = /(?:\x1b\[|\x9b)[0-9;?]{0,24}[@-~]/g;

/** Takes up room but shows nothing, or would end a line somewhere else than the line counts here do. */
const blank =
  // oxlint-disable-next-line no-control-regex
  /[\r\x07\x08\x0b\x0c\x1c-\x1f\x85\u00a0\u115f\u1160\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u3164\uffa0]/g;

/** Controls, and whatever takes up no room: joiners, bidi marks, selectors, tags, invisible operators. */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x06\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;

/** Typographic hyphens and quotes: patterns are written with those of the keyboard. */
const quotes = /[\u2010-\u2013\u2018-\u201b\u201c-\u201f]/g;

/** Marks over and through Latin letters: a word that is struck out is still read. */
// oxlint-disable-next-line no-misleading-character-class
const hasAccents = /[\u0300-\u036f\u0488\u0489\u20d0-\u20f0]/;
// oxlint-disable-next-line no-misleading-character-class
const accents = /(?<=[A-Za-z])[\u0300-\u036f\u0488\u0489\u20d0-\u20f0]+/g;

/** A character reference of HTML. An ampersand that is itself encoded a few times over is one, too. */
const entity =
  /&(?:amp;){0,3}(?:#0{0,9}([1-9]\d{0,6})(?![0-9])|#[xX]0{0,9}([0-9a-fA-F]{1,6})(?![0-9a-fA-F])|([A-Za-z]{2,8})(?=;));?/g;

/** Those that stand for something a rule could look for: each name with its sign. */
const signs =
  "amp& lt< gt> quot\" apos' hellip... hyphen- dash- ndash- lsquo' rsquo' ldquo\" rdquo\" colon: semi; comma, period. excl! quest? num# dollar$ percnt% commat@ ast* plus+ equals= lowbar_ grave` vert| verbar| sol/ bsol\\ lpar( rpar) lbrack[ rbrack] lsqb[ rsqb] lbrace{ rbrace} lcub{ rcub} tilde~";
const blankNames = "nbsp ensp emsp thinsp Tab NewLine";
const unseenNames = "shy zwj zwnj lrm rlm";

const named: ReadonlyMap<string, string> = new Map([
  ...signs.split(" ").map((entry) => [entry.replace(/[^A-Za-z].*$/, ""), entry.replace(/^[A-Za-z]+/, "")] as const),
  ...blankNames.split(" ").map((name) => [name, " "] as const),
  ...unseenNames.split(" ").map((name) => [name, ""] as const),
]);

export function resolveEntities(text: string): string {
  return text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    // A line that ends in an entity does not end in the file.
    return !isScalar || code === 0 ? whole : code < 0x20 ? " " : String.fromCodePoint(code);
  });
}

/**
 * Letters and digits in another dress: full-width, mathematical, enclosed, raised, small capitals, ligatures, and the
 * few of Latin itself that pass for a plain one. Signs that are used as signs (\u2122, \u2139) stay.
 */
const dressed =
  /[\u00aa\u00ba\u0131\u0192\u0251\u0261\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f\u02b0-\u02b8\u02e1-\u02e3\u1d00-\u1d6a\u1d9c-\u1dbf\u2026\u2070-\u209c\u2100-\u211f\u2121\u2123-\u2138\u213a-\u218b\u2460-\u24ff\u2c7c\u3200-\u33ff\ua730\ua731\ufb00-\ufb06\ufe10-\ufe6b\uff01-\uff9f\uffe0-\uffee]|\ud835[\udc00-\udfff]|\ud83c[\udd00-\udd89]/g;

/** Normalised one by one: a long text as a whole would take the square of its length (T26). There are few of them. */
const known = new Map<string, string>(oddLetters());

export function plainLetters(text: string): string {
  return text.replace(dressed, (char) => {
    const plain = known.get(char) ?? plainOf(char);
    known.set(char, plain);
    return plain;
  });
}

function plainOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  // White letters on black circles and squares: Unicode gives them no plain form.
  if (code >= 0x1f150 && code <= 0x1f169) return String.fromCharCode(65 + code - 0x1f150);
  if (code >= 0x1f170 && code <= 0x1f189) return String.fromCharCode(65 + code - 0x1f170);
  const plain = char.normalize("NFKC");
  if (!/^[\x20-\x7e]{1,8}$/.test(plain)) return char;
  return /^\((\w)\)$/.exec(plain)?.[1] ?? plain;
}

function* oddLetters(): Iterable<readonly [string, string]> {
  const letters = "abcdefghijklmnoprstuvwyz";
  const capitals =
    "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22";
  yield* [
    ["\u0131", "i"],
    ["\u0192", "f"],
    ["\u0251", "a"],
    ["\u0261", "g"],
  ] as const;
  for (let at = 0; at < letters.length; at++) yield [capitals.charAt(at), letters.charAt(at)];
}

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
