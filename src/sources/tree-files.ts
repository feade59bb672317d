import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import type { TreeEntry } from "./git/git.ts";
import { finding } from "../skill/faults.ts";
import { ofRootSkill } from "../skill/load-bundle.ts";
import { repositoryPathFault } from "./repository.ts";
import { isFileMode, isFolderMode, nameOf, type TreeIndex } from "./tree-index.ts";

interface CollectedFiles {
  readonly files: readonly TreeEntry[];
  readonly findings: readonly Finding[];
}

/** The files of one skill (SK-11, T23, T24), as `loadBundle` takes them from a disk. Undefined where some are not known. */
export function collectFiles(index: TreeIndex, skill: string, role: "leaf" | "root"): CollectedFiles | undefined {
  const files: TreeEntry[] = [];
  const findings: Finding[] = [];
  const waiting = [skill];
  for (const folder of waiting) {
    if (index.isUnlisted(folder)) return undefined;
    for (const entry of index.in(folder)) {
      const name = nameOf(entry.path);
      if (folder === skill && role === "root" && !ofRootSkill.has(name)) continue;
      if (isFolderMode(entry.mode)) {
        if (name !== ".git") waiting.push(entry.path);
        continue;
      }
      const fault = faultOf(entry, skill === "" ? entry.path : entry.path.slice(skill.length + 1));
      if (fault === undefined) files.push(entry);
      else findings.push(fault);
    }
  }
  return { files, findings: capped(findings) };
}

function faultOf({ mode }: TreeEntry, inside: string): Finding | undefined {
  const shown = safeLine(inside);
  if (mode === "120000") return finding("path.link", "a symbolic link; not followed, left out", shown);
  if (mode === "160000") return finding("path.special", "a submodule; left out", shown);
  if (!isFileMode(mode))
    return finding("path.special", `no regular file (mode ${safeLine(mode, 12)}); left out`, shown);
  const unsafe = repositoryPathFault(inside);
  return unsafe === undefined ? undefined : finding("path.unsafe", `${unsafe}; left out`, shown);
}

const mostOfACode = 50;

/** Fifty of one kind say what thousands do; the rest is counted. */
export function capped(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  const kept: Finding[] = [];
  for (const each of findings) {
    const count = (counts.get(each.code) ?? 0) + 1;
    counts.set(each.code, count);
    if (count <= mostOfACode) kept.push(each);
  }
  for (const [at, each] of kept.entries()) {
    const more = (counts.get(each.code) ?? 0) - mostOfACode;
    if (more <= 0) continue;
    counts.delete(each.code);
    kept[at] = { ...each, message: `${each.message} (and ${more} more like this)` };
  }
  return kept;
}
