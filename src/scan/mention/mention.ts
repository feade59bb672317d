import { headingsOver, subjectOf } from "../outline.ts";
import type { Hit } from "../rule.ts";
import type { ScanText } from "../text.ts";
import {
  type Block,
  blockAt,
  commentLine,
  hasGoodPart,
  isCommentedBad,
  isInQuotes,
  isSignature,
  openingQuote,
  sentenceBefore,
} from "./surroundings.ts";
import {
  badDoing,
  commands,
  defanged,
  doing,
  forbids,
  gets,
  hunt,
  judged,
  labelled,
  logged,
  narrated,
  needs,
  orders,
  records,
  reported,
  runs,
  runsAbove,
  searches,
  security,
  shells,
  shows,
  talk,
  threat,
  tooling,
  tries,
  turned,
  urgent,
  vague,
} from "./talk.ts";

/**
 * Whether a text only speaks of what was found: quotes it, warns of it, says how to detect it. What it looks at is the
 * sentence and the line around, the line that leads to it, and the headings above: never more than a fixed stretch (T26).
 * A writer who knows this can make an order look like talk; that is why a mention is reported too, only below the line.
 */
export function isMention(text: ScanText, hit: Hit): boolean {
  // A script does what is in it, whatever its comments say.
  if (text.kind === "code") return false;
  // Who reads the page does not see a comment: nothing is explained there.
  if (hit.inRaw === true || text.regionAt(hit.start) === "comment") return false;
  if (!isSpokenOf(text, hit.start)) return false;
  // What is found over several lines must be talk where it begins and where it ends.
  return text.lineAt(hit.end - 1) === text.lineAt(hit.start) || isSpokenOf(text, hit.end - 1);
}

/** A place in a text, with what the signs are looked for in: all of it in lower case and short. */
interface Spot {
  readonly text: ScanText;
  readonly at: number;
  readonly line: string;
  /** The line up to the place, and from there on. */
  readonly before: string;
  readonly after: string;
  /** From the start of the sentence to the place, also over the end of a line. */
  readonly sentence: string;
  readonly isCode: boolean;
  readonly isQuoted: boolean;
  readonly isInline: boolean;
}

function isSpokenOf(text: ScanText, at: number): boolean {
  const spot = spotAt(text, at);
  const block = blockAt(text, at);
  if (text.kind === "data") return isDataOnly(spot, block);
  if (isForbidden(spot, block) || isCalledBad(spot) || isSample(spot)) return true;
  if (isDetection(spot, block)) return true;
  // What is asked for above or below a block is done, whatever is written in it or over it.
  if (block !== undefined && isAskedFor(spot, block)) return false;
  return isMarked(spot) || isListed(spot) || isShown(spot, block) || isRecord(spot);
}

function spotAt(text: ScanText, at: number): Spot {
  const around = text.lineAround(at);
  const line = around.text.toLowerCase();
  const before = line.slice(0, at - around.start);
  const region = text.regionAt(at);
  return {
    text,
    at,
    line,
    before,
    after: line.slice(at - around.start),
    sentence: sentenceBefore(text.lower, at),
    isCode: region === "fence",
    isQuoted: region === "inline" || isInQuotes(before),
    isInline: region === "inline",
  };
}

/** A file of data: rules that detect it, or cases for a test of such rules; never what some program is told to run. */
function isDataOnly(spot: Spot, block: Block | undefined): boolean {
  if (/(?:^|[\s"'{,-])(?:run|command|cmd|scripts?|exec|entrypoint|args|(?:pre|post)?install)["']?\s?:/.test(spot.line))
    return false;
  return isDetection(spot, block) || isRecord(spot);
}

/** Told not to do it. */
function isForbidden({ sentence, before, line, isCode }: Spot, block: Block | undefined): boolean {
  // What a line of code does is not changed by the one above, nor by words that a shell would run.
  if (isCode && shells.test(block?.language ?? "") && !commentLine.test(line)) return false;
  return forbids(isCode ? before : sentence);
}

function isOrder({ text, sentence, before, isInline }: Spot): boolean {
  if (!isOnSecurity(text)) return (orders.test(sentence) && !reported.test(sentence)) || runs.test(before);
  // A text about security quotes whole orders, and shows in prose what such a command looks like.
  const open = openingQuote(before);
  const own = open === -1 ? sentence : before.slice(0, open);
  if (needs.test(own) || gets.test(own)) return true;
  return (orders.test(own) && !reported.test(own)) || (runs.test(before) && !isInline);
}

/** Quoted in a line that calls it an attack or an example, or reported in a text about such things. */
function isCalledBad(spot: Spot): boolean {
  if (reported.test(spot.sentence) && isOnSecurity(spot.text)) return true;
  // In code quotes are part of what is run.
  if (spot.isCode && !isOnSecurity(spot.text)) return false;
  return spot.isQuoted && !isOrder(spot) && (talk.test(spot.before) || judged.test(spot.after.slice(0, 240)));
}

/** In code: a quoted text that is searched for, or, in a text about security, shown as a sample. No quoted command is one. */
function isSample({ text, isCode, before, after }: Spot): boolean {
  if (!isCode || !isInQuotes(before) || runs.test(before)) return false;
  return (
    searches.test(before) || (isOnSecurity(text) && !commands.test(after) && /["'`“][^"'`”\n]{0,40}$/.test(before))
  );
}

/** In code: a comment calls it bad, where that is the subject or where the good way stands beside it. */
function isMarked({ text, at, line, isCode }: Spot): boolean {
  return isCode && isCommentedBad(text, at, line) && (isOnSecurity(text) || hasGoodPart(text, at));
}

/** An entry of a list, table or example whose heading or leading line says that what follows is bad. */
function isListed(spot: Spot): boolean {
  const { text, at, line, isCode, isQuoted } = spot;
  const headings = headingsOver(text, at);
  if (isDone(headings[0])) return false;
  const isEntry = /^\s{0,20}(?:\||(?:[-*+]|\d{1,2}[.)])\s|❌|✗|🚫)/.test(line);
  // Rows of a table and things to tick off describe; they are not done one after the other.
  const isRow = /^\s{0,20}(?:\||[-*+] \[[ x]?\] )/.test(line);
  const isBad = headings.some((title) => isThreat(text, title)) || leadsToBad(spot);
  if (isCode && isOwnPart(spot, headings[0])) return leadsToBad(spot) && isOnSecurity(text);
  if (isCode) return (isBad || records.test(headings[0] ?? "")) && isOnSecurity(text);
  if (isOrder(spot)) return isBad && isEntry && isOnSecurity(text) && !urgent.test(spot.sentence);
  return isBad ? isEntry || isQuoted : (isQuoted || isRow) && isOnSecurity(text);
}

const subjects = new WeakMap<ScanText, boolean>();

function isOnSecurity(text: ScanText): boolean {
  let is = subjects.get(text);
  if (is === undefined) subjects.set(text, (is = security.test(subjectOf(text))));
  return is;
}

/** In a text about something else only plain words announce what is bad. */
function isThreat(text: ScanText, title: string): boolean {
  return threat.test(isOnSecurity(text) ? title : title.replace(vague, " "));
}

/** Commands under the heading of a part of the skill. */
function isOwnPart({ after, line }: Spot, heading = ""): boolean {
  return tooling.test(heading) && (commands.test(after) || commands.test(line.trimStart()));
}

/** Under a heading for what is done first, such as the setup. */
function isDone(heading = ""): boolean {
  return doing.test(heading) && !badDoing.test(heading);
}

/** The line above a block, or the one below it, tells to run what is in it. */
function isAskedFor({ text, at }: Spot, { lead, next }: Block): boolean {
  if (isDone(headingsOver(text, at)[0]) || runsAbove.test(next)) return true;
  if (!orders.test(lead) && !needs.test(lead) && !gets.test(lead)) return false;
  const isNegated = hunt.test(lead) && !turned.test(lead);
  return !isNegated && !reportedIn.test(lead);
}

const reportedIn =
  /\b(?:tell|tells|told|ask|asks|asked|trick|tricks|tricked|lure|lures|lured|instruct|instructs|instructed|urges?|urged|want|wants|wanted|get|gets|got)\s(?:the\s)?(?:you|users?|people|victims?|agents?|models?|them|readers?|assistants?|staff|developers?)\sto\b/;

/** A rule that looks for it: in quotes, as an entry or as a comment, never as a line of its own. */
function isDetection({ text, at, line }: Spot, block: Block | undefined): boolean {
  if (!/["'\x60]|^\s{0,20}(?:[-*#|$]|\/\/|[\w.|-]{1,40}\s?[:=])/.test(line) || !isSignature(text, at)) return false;
  if (block === undefined || block.kind !== "fence") return !orders.test(line) && !needs.test(line);
  if (shells.test(block.language) || isDone(headingsOver(text, at)[0])) return false;
  return tries.test(block.lead) || !(orders.test(block.lead) || needs.test(block.lead));
}

/** In a text about security: set apart, and the line above says where it was seen; or no command at all. */
function isShown(spot: Spot, block: Block | undefined): boolean {
  const { text, line, after } = spot;
  if (block === undefined || text.kind !== "markdown" || !isOnSecurity(text)) return false;
  const isLed = /[:：][\s*_]{0,4}$/.test(block.lead);
  if (isLed && shows.test(block.lead)) return true;
  if (commands.test(after) || commands.test(line.trimStart()) || shells.test(block.language)) return false;
  return block.kind === "fence" || isLed;
}

/** In a text about security: a line of a log, of test data, or with an address that was made harmless. */
function isRecord(spot: Spot): boolean {
  const { text, line, sentence, after, isCode } = spot;
  if (!isOnSecurity(text)) return false;
  if (defanged.test(line)) return true;
  if (isOrder(spot)) return false;
  return logged.test(line) || labelled.test(line) || (!isCode && narrated.test(`${sentence}${after.slice(0, 12)}`));
}

const farthest = 1500;
const fence = /^[ \t>]{0,12}(?:```|~~~)/;
const entry = /^\s*(?:[-*+|>]|\d{1,2}[.)]|```|~~~)\s?/;

/** The nearest line above that this one is under ends in a colon and says that what follows is bad. */
function leadsToBad({ text, at, line, isCode }: Spot): boolean {
  const above = text.lower
    .slice(Math.max(0, at - farthest), at)
    .split("\n")
    .slice(0, -1);
  const opens = isCode ? above.findLastIndex((other) => fence.test(other)) : above.length;
  if (opens === -1) return false;
  const depth = isCode ? indentOf(above[opens] ?? "") : indentOf(line);
  const lead = above
    .slice(0, opens)
    .findLast((other) => other.trim() !== "" && (!entry.test(other) || indentOf(other) < depth));
  return lead !== undefined && /[:：][\s*_]{0,4}$/.test(lead) && (isThreat(text, lead) || hunt.test(lead));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
