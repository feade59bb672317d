import { repositoryPathFault } from "../repository.ts";

/** A path as a plugin writes it, or why it is refused. */
export type WrittenPath =
  | { readonly path: string /** Whether it began with `./`, as the format has it. */; readonly isDotted: boolean }
  | { readonly why: string };

/** `./a/b`, `a/b/`, `./` or `.`: a path inside of where it is written. Nothing that leads out of there (T2, T23). */
export function parseInside(written: unknown): WrittenPath {
  if (typeof written !== "string" || written === "") return { why: "a path is missing or is not text" };
  if (written === "." || written === "./") return { path: "", isDotted: true };
  const path = written.replace(/^\.\//, "").replace(/\/$/, "");
  const why = path === "" ? `"${written}" is absolute` : repositoryPathFault(path);
  return why === undefined ? { path, isDotted: written.startsWith("./") } : { why };
}

export function pathBelow(root: string, path: string): string {
  return root === "" || path === "" ? root + path : `${root}/${path}`;
}

/** `skills` of an entry or of plugin.json: folders of skills, or skills. */
export interface SkillPaths {
  /** Whether it names any at all: also one whose every path was refused is not the same as none. */
  readonly isNamed: boolean;
  readonly paths: readonly string[];
  readonly refused: readonly string[];
  readonly lenient: readonly string[];
}

const mostPaths = 1000;

export function parseSkillPaths(value: unknown): SkillPaths {
  if (value === undefined || value === null) return { isNamed: false, paths: [], refused: [], lenient: [] };
  if (typeof value !== "string" && !Array.isArray(value)) return refusedWhole("`skills` is neither text nor a list");
  const written: readonly unknown[] = typeof value === "string" ? [value] : value;
  if (written.length > mostPaths) return refusedWhole(`\`skills\` has more than ${mostPaths} paths`);
  const paths = new Set<string>();
  const [refused, lenient]: [string[], string[]] = [[], []];
  for (const each of written) {
    const read = parseInside(each);
    if ("why" in read) refused.push(read.why);
    else paths.add(read.path);
    if ("path" in read && !read.isDotted) lenient.push(`\`skills\` has "${read.path}", which should begin with ./`);
  }
  return { isNamed: written.length > 0, paths: [...paths], refused, lenient };
}

function refusedWhole(why: string): SkillPaths {
  return { isNamed: true, paths: [], refused: [why], lenient: [] };
}

/** What a list of faults comes to in one sentence. */
export function firstOf(reasons: readonly string[]): string {
  const [first = "", ...others] = reasons;
  return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}
