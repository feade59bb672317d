import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { ProvenTree } from "../../ingest/fetch/git.ts";
import { skillFile } from "../../ingest/skill/bundle.ts";
import { walkDepth } from "../../ingest/source/read-repo.ts";
import type { PinnedTree } from "../../ingest/source/read-skills.ts";
import { renderRef } from "../../ingest/source/ref.ts";
import { fullName } from "../../ingest/source/repository.ts";
import { findTreeSkills, type TreeSkill } from "../../ingest/source/tree-skills.ts";

/** A person reads no more than this. */
const mostListed = 20;

/**
 * AG-11: the one skill that a path means: the one that lies there, or the only one below. Which of several is meant is
 * never guessed.
 */
export function chooseSkill(at: PinnedTree, typed: string): TreeSkill {
  const path = folderMeant(at, typed);
  const here = skillAt(at.tree, path);
  if (here !== undefined) return here;
  const { skills, unvisited } = findTreeSkills(at.tree, { roots: [path], skip: [], depth: walkDepth });
  const [only, ...others] = skills;
  if (others.length > 0) throw several(at, path, skills);
  if (only === undefined) throw none(at, path, unvisited);
  return skillAt(at.tree, only.path) ?? only;
}

/** The skill whose SKILL.md lies in this very folder, the same whichever way somebody came to it. */
export function skillAt(tree: ProvenTree, path: string): TreeSkill | undefined {
  // At the root of a repository it shares the place with others; elsewhere all that lies below is its own (SK-11).
  const depth = path === "" ? walkDepth : 0;
  const { skills, unvisited } = findTreeSkills(tree, { roots: [path], skip: [], depth });
  const found = skills.find((skill) => skill.path === path);
  if (found === undefined && unvisited.includes(path))
    throw new AppError("upstream.invalid", `not all of "${safeLine(path)}" could be listed; try again later`);
  return found;
}

/** A URL may name the SKILL.md itself. */
function folderMeant({ tree, repository }: PinnedTree, typed: string): string {
  const entry = typed === "" ? undefined : tree.entries.get(typed);
  if (entry === undefined || entry.mode === "040000") return typed;
  const [name, folder] = [typed.slice(typed.lastIndexOf("/") + 1), typed.slice(0, Math.max(0, typed.lastIndexOf("/")))];
  if (name === skillFile) return folder;
  throw new AppError(
    "usage.invalid",
    `${safeLine(typed)} in ${fullName(repository)} is a file; name the folder of a skill`,
  );
}

function several(at: PinnedTree, path: string, skills: readonly TreeSkill[]): AppError {
  const where = path === "" ? fullName(at.repository) : `${fullName(at.repository)}/${safeLine(path)}`;
  return new AppError(
    "usage.invalid",
    `${where} has ${skills.length} skills; add one by its path:\n${listed(at, skills)}`,
  );
}

function none(at: PinnedTree, path: string, unvisited: readonly string[]): AppError {
  const name = fullName(at.repository);
  const where = path === "" ? name : `${safeLine(path)} in ${name}`;
  const what = `there is no skill at ${where}: no folder with a file named exactly SKILL.md`;
  if (unvisited.length > 0)
    return new AppError("upstream.invalid", `${what} among what could be listed; try again later`);
  const elsewhere = path === "" ? [] : findTreeSkills(at.tree, { roots: [""], skip: [], depth: walkDepth }).skills;
  const hint = elsewhere.length === 0 ? "" : `\nThere ${elsewhere.length === 1 ? "is one" : "are some"} elsewhere:\n`;
  return new AppError("source.missing", what + hint + (elsewhere.length === 0 ? "" : listed(at, elsewhere)));
}

/** Each with the command that adds it, or by its path alone where a shell would read more into that than a word. */
function listed({ repository, ref }: PinnedTree, skills: readonly TreeSkill[]): string {
  const lines = skills.slice(0, mostListed).map(({ path }) => {
    const typed = `${fullName(repository)}${path === "" ? "" : `/${path}`}@${renderRef(ref)}`;
    return /^[\w@+./-]{1,240}$/.test(typed) ? `  skillward add ${typed}` : `  "${safeLine(path, 240)}"`;
  });
  const more = skills.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}
