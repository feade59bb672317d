import { AppError } from "../../core/error.ts";
import { fitsFile } from "../../scope/tools/paths.ts";
import { slowForm } from "../../core/glob.ts";
import type { Clock, Files } from "../../core/world.ts";
import { isSameFile, type SeenFile, seenAt } from "./known-skill.ts";
import { ignoreFile } from "./walk-root.ts";

/**
 * What git would not look at, by the files that say so. Read here and not asked of git: a repository's own settings make
 * git run programs. It is for a remark to people and decides nothing, so that a line of a form that is not known is no
 * rule.
 */
interface IgnoreRule {
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
  const segments = (inner.includes("/") ? names : ["**", ...names])
    .map((name) => (/^\*{2,}$/.test(name) ? "**" : name.replace(/\*+/g, "*")))
    .filter((segment, at, all) => segment !== "**" || all[at - 1] !== "**");
  if (names.length === 0 || slowForm(segments) !== null) return undefined;
  return { isBack, isForFolders, segments: Object.freeze(segments) };
}

/** Without the backslashes that take a meaning away; undefined for sets, and for a wildcard that is meant as itself. */
function plainText(pattern: string): string | undefined {
  if (/\[|\\[*?\\]|\\$/.test(pattern)) return undefined;
  return pattern.replaceAll("\\", "");
}

/** Rules by the folder they stand in, with `/` from the root, which is `""`. */
type RulesByFolder = ReadonlyMap<string, readonly IgnoreRule[]>;

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

const excludeFile = ".git/info/exclude";
const mostBytes = 64 * 1024;

interface KnownRules extends SeenFile {
  readonly rules: readonly IgnoreRule[];
}

/** The ignore files of a folder tree, each read once as long as it stays as it is. */
export class KnownIgnores {
  readonly #world: { readonly files: Files; readonly clock: Clock };
  readonly #root: string;
  #known = new Map<string, KnownRules>();

  constructor(world: { readonly files: Files; readonly clock: Clock }, root: string) {
    this.#world = world;
    this.#root = root;
  }

  /** By those of the folders that hold an ignore file, with `/` from the root. */
  async ignored(folders: readonly string[]): Promise<(path: string) => boolean> {
    const before = this.#known;
    this.#known = new Map();
    const rules = new Map<string, readonly IgnoreRule[]>();
    for (const folder of folders)
      rules.set(folder, await this.#rules(before, folder === "" ? ignoreFile : `${folder}/${ignoreFile}`));
    return createIgnored(rules, await this.#excluded(before));
  }

  /** The folders above it were not walked: one of them may be a link. */
  async #excluded(before: ReadonlyMap<string, KnownRules>): Promise<readonly IgnoreRule[]> {
    const path = `${this.#root}/${excludeFile}`;
    const real = await this.#world.files.resolve(path).catch(() => undefined);
    return real === path ? await this.#rules(before, excludeFile) : [];
  }

  /** None of a file that is not there, cannot be read or is too large: a remark less. */
  async #rules(before: ReadonlyMap<string, KnownRules>, path: string): Promise<readonly IgnoreRule[]> {
    const { files, clock } = this.#world;
    const now = clock.now();
    try {
      const stamp = await files.stamp(`${this.#root}/${path}`);
      const known = before.get(path);
      const rules = known !== undefined && isSameFile(known, stamp) ? known.rules : await this.#read(path);
      this.#known.set(path, { ...seenAt(stamp, now), rules });
      return rules;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [];
    }
  }

  async #read(path: string): Promise<readonly IgnoreRule[]> {
    const bytes = await this.#world.files.read(`${this.#root}/${path}`, mostBytes);
    return bytes instanceof Uint8Array ? parseGitIgnore(Buffer.from(bytes).toString("utf8")) : [];
  }
}
