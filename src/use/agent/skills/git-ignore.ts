import { fitsFile } from "../../../base/tools/paths.ts";
import { slowForm } from "../../../base/tools/wildcards.ts";

/**
 * What git would not look at, by the files that say so. Read here and not asked of git: a repository's own settings make
 * git run programs. It is for a remark to people and decides nothing, so that a line of a form that is not known is no
 * rule.
 */
export interface IgnoreRule {
  /** `!`: what an earlier rule took away is there again. */
  readonly isBack: boolean;
  readonly isForFolders: boolean;
  /** From the folder in which the rule stands. */
  readonly segments: readonly string[];
}

const longestLine = 256;
const mostRules = 500;

export function parseGitIgnore(text: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const line of text.split("\n")) {
    const rule = line.length > longestLine ? undefined : ruleOf(line);
    if (rule !== undefined) rules.push(rule);
    if (rules.length === mostRules) break;
  }
  return rules;
}

function ruleOf(line: string): IgnoreRule | undefined {
  const written = line.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
  if (written === "" || written.startsWith("#")) return undefined;
  const isBack = written.startsWith("!");
  const pattern = plainText(isBack ? written.slice(1) : written);
  if (pattern === undefined) return undefined;
  const isForFolders = pattern.endsWith("/");
  const inner = isForFolders ? pattern.slice(0, -1) : pattern;
  const names = inner.split("/").filter((name) => name !== "");
  // Without a slash before its end a rule is about that name wherever it is.
  const segments = (inner.includes("/") ? names : ["**", ...names]).map(asOneStar).filter(isNoRepetition);
  if (names.length === 0 || slowForm(segments) !== null) return undefined;
  return { isBack, isForFolders, segments: Object.freeze(segments) };
}

/** Without the backslashes that take a meaning away; undefined for sets, and for a wildcard that is meant as itself. */
function plainText(pattern: string): string | undefined {
  if (/\[|\\[*?\\]|\\$/.test(pattern)) return undefined;
  return pattern.replaceAll("\\", "");
}

function asOneStar(segment: string): string {
  return /^\*{2,}$/.test(segment) ? "**" : segment.replace(/\*+/g, "*");
}

function isNoRepetition(segment: string, at: number, all: readonly string[]): boolean {
  return segment !== "**" || all[at - 1] !== "**";
}

/** Rules by the folder they stand in, with `/` from the root, which is `""`. */
export type RulesByFolder = ReadonlyMap<string, readonly IgnoreRule[]>;

/** Rules that one path is held against at the most, the outer ones first. */
const mostHeldAgainst = 1_000;

/** Says of files whether they are ignored: by a rule, or with a folder that they are in. */
export function createIgnored(rules: RulesByFolder, excluded: readonly IgnoreRule[]): (path: string) => boolean {
  if ([excluded, ...rules.values()].every(({ length }) => length === 0)) return () => false;
  const known = new Map<string, boolean>([["", false]]);

  function isIgnoredFolder(folder: string): boolean {
    const there = known.get(folder);
    if (there !== undefined) return there;
    // Nothing in an ignored folder can be taken back.
    const isIgnored = isIgnoredFolder(above(folder)) || isNamed(folder, true);
    known.set(folder, isIgnored);
    return isIgnored;
  }

  function isNamed(path: string, isFolder: boolean): boolean {
    const segments = path.split("/");
    let isIgnored = false;
    let left = mostHeldAgainst;
    for (const { from, held } of heldAgainst(path)) {
      // The last rule that fits decides, and those further in come last.
      for (const rule of held.slice(0, left)) if (fits(rule, segments.slice(from), isFolder)) isIgnored = !rule.isBack;
      left -= Math.min(left, held.length);
    }
    return isIgnored;
  }

  function heldAgainst(path: string): { from: number; held: readonly IgnoreRule[] }[] {
    const segments = path.split("/");
    const inside = segments.map((_, from) => ({ from, held: rules.get(segments.slice(0, from).join("/")) ?? [] }));
    return [{ from: 0, held: excluded }, ...inside].filter(({ held }) => held.length > 0);
  }

  return (path) => isIgnoredFolder(above(path)) || isNamed(path, false);
}

function fits(rule: IgnoreRule, path: readonly string[], isFolder: boolean): boolean {
  return (isFolder || !rule.isForFolders) && fitsFile(rule.segments, path);
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
