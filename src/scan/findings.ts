import { blocks, type Finding, type Level, levels } from "../core/finding.ts";
import { compareTexts, safeLine } from "../core/text.ts";
import { isMention } from "./mention/mention.ts";
import type { Hit, Rule } from "./rule.ts";
import { reviewFaults } from "./scan-faults.ts";
import type { ScanText } from "./text.ts";

/** Where a decoded text stood: the way it was encoded, and its place in the file. */
export interface Encoding {
  readonly from: string;
  readonly line: number;
  readonly excerpt: string;
}

/** A hit and what it weighs here. */
interface Weighed {
  readonly hit: Hit;
  readonly level: Level;
  /** Up to where hits overlap it. */
  readonly end: number;
}

/** Of one rule in one text so many are listed; the last one says how many more there are. */
const mostListed = 5;

/** So many are looked at more closely; whoever speaks of a thing more often than that means it. */
const mostJudged = 200;

/** What one rule finds in one text, the heaviest first: no number of mentions hides what is meant. */
export function findingsOf(rule: Rule, text: ScanText, inside: Encoding | undefined): Finding[] {
  const hits = rule.match.find(text);
  const all = apart(
    hits.map((hit, at) => ({ hit, level: levelOf(rule, text, hit, inside, at < mostJudged), end: hit.end })),
  );
  const listed = all
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .slice(0, mostListed)
    .map((weighed) => findingOf(rule, text, weighed, inside));
  const last = listed.at(-1);
  if (last === undefined || all.length <= mostListed) return listed;
  return [...listed.slice(0, -1), { ...last, message: `${last.message}; ${all.length - mostListed} more like it` }];
}

function levelOf(rule: Rule, text: ScanText, hit: Hit, inside: Encoding | undefined, isJudged: boolean): Level {
  // Nobody hides in an encoding what could stand in the open.
  if (inside !== undefined) return levels[levels.indexOf(rule.level) + 1] ?? rule.level;
  const { level, mentioned = blocks(rule) ? "medium" : level } = rule;
  if (mentioned === "same" || mentioned === level || !isJudged) return level;
  return isMention(text, hit) ? mentioned : level;
}

/** Hits that overlap are one: the heaviest of them. */
function apart(all: readonly Weighed[]): Weighed[] {
  const kept: Weighed[] = [];
  for (const next of all) {
    const before = kept.at(-1);
    if (before === undefined || next.hit.start >= before.end || next.hit.inRaw !== before.hit.inRaw) kept.push(next);
    else {
      const heavier = weightOf(next) > weightOf(before) ? next : before;
      kept[kept.length - 1] = { ...heavier, end: Math.max(before.end, next.end) };
    }
  }
  return kept;
}

function weightOf({ level }: Weighed): number {
  return levels.indexOf(level);
}

const longestExcerpt = 120;
const longestDecoded = 300;

function findingOf(rule: Rule, text: ScanText, { hit, level }: Weighed, inside: Encoding | undefined): Finding {
  const stretch = hit.inRaw === true ? text.raw : text.text;
  const isTalk = inside === undefined && level !== rule.level;
  const message = [rule.title, hit.says, isTalk ? "mentioned, not told to do" : undefined]
    .filter((part) => part !== undefined)
    .join(": ");
  if (inside === undefined)
    return {
      code: rule.id,
      level,
      message,
      at: { file: text.file, line: hit.inRaw === true ? text.lineInRaw(hit.start) : text.lineAt(hit.start) },
      excerpt: excerptOf(stretch.slice(hit.start, hit.end)),
      ...(hit.decoded === undefined ? {} : { decoded: safeLine(hit.decoded, longestDecoded) }),
    };
  return {
    code: rule.id,
    level,
    message: `${message}, in text that is encoded as ${inside.from}`,
    at: { file: text.file, line: inside.line },
    excerpt: excerptOf(inside.excerpt),
    // A little more than what was found: what was encoded has no other place where it could be read.
    decoded: safeLine(hit.decoded ?? stretch.slice(Math.max(0, hit.start - 80), hit.end + 160), longestDecoded),
  };
}

/** The end of a line is no secret: a sign for it reads better than its code. */
function excerptOf(text: string): string {
  const head = text.slice(0, 4 * longestExcerpt);
  return safeLine(head.replace(/\s*\n\s*/g, " ⏎ ").trim(), longestExcerpt);
}

/** So many are kept of one bundle. */
const mostFindings = 200;

/** What is found in a bundle. However much it is, only what can be listed in the end is held (T26). */
export class Collected {
  #held: readonly Finding[] = [];
  #new: Finding[] = [];
  #left = 0;

  add(findings: readonly Finding[]): void {
    for (const finding of findings) this.#new.push(finding);
    if (this.#new.length > 4 * mostFindings) this.#settle();
  }

  /** The heaviest first. The rest is counted, not silent. */
  all(): readonly Finding[] {
    this.#settle();
    if (this.#left === 0) return this.#held;
    const message = `${this.#left} more findings, of kinds that are listed`;
    const { level } = reviewFaults["scan.more"];
    return [...this.#held, { code: "scan.more", level, message, at: { file: "SKILL.md", line: 1 } }];
  }

  #settle(): void {
    const all = heaviestFirst([...this.#held, ...this.#new]);
    this.#held = bounded(all);
    this.#left += all.length - this.#held.length;
    this.#new = [];
  }
}

/** The heaviest of every kind, whatever comes: what blocks is decided by its code. */
function bounded(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= mostFindings) return findings;
  const codes = new Set<string>();
  const isFirst = findings.map(({ code }) => codes.size < codes.add(code).size);
  let room = mostFindings - codes.size;
  return findings.filter((_, at) => isFirst[at] === true || room-- > 0);
}

function heaviestFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      levels.indexOf(b.level) - levels.indexOf(a.level) || compareTexts(a.at.file, b.at.file) || a.at.line - b.at.line,
  );
}
