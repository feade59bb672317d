import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { limits } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { skillFile } from "../../skill/bundle.ts";
import { finding } from "../../skill/faults.ts";
import { findSkills } from "../../skill/find-skills.ts";
import type { SkillFolder } from "../../skill/load-bundle.ts";

/** The folder of a skill that a person named, or that lies below one they named. */
export interface NamedFolder extends SkillFolder {
  /** As the person named it, for showing. */
  readonly shown: string;
}

/** Every skill in the folders that were named, each once, and what could not be looked into. */
export async function findAll(
  files: Files,
  paths: readonly string[],
): Promise<{ folders: NamedFolder[]; findings: Finding[] }> {
  const folders = new Map<string, NamedFolder>();
  const findings: Finding[] = [];
  for (const path of paths) {
    const root = await namedFolder(files, path);
    const found = await findSkills(files, root.path, limits.walk);
    const show = (real: string) => posix.join(root.shown, real.slice(root.path.length)) || ".";
    for (const folder of found.folders)
      if (!folders.has(folder.path)) folders.set(folder.path, { ...folder, shown: show(folder.path) });
    findings.push(...found.findings.map((each) => ({ ...each, at: { ...each.at, file: show(each.at.file) } })));
    if (found.folders.length === 0 && found.findings.every(({ code }) => code !== "folder.unreadable"))
      findings.push(finding("skill.none", "no folder with a file named exactly SKILL.md", root.shown));
  }
  return { folders: [...folders.values()], findings };
}

/** A path as it was typed, without what is doubled in it and without a slash at its end. */
export function shownPath(path: string): string {
  return posix.normalize(path).replace(/(?<=.)\/$/, "");
}

/** The folder a person means: by itself, or by the SKILL.md in it. */
async function namedFolder(files: Files, path: string): Promise<{ path: string; shown: string }> {
  const shown = shownPath(path);
  const real = await files.resolve(path);
  const kind = await files.kind(real);
  if (kind === "folder") return { path: real, shown };
  if (kind === "file" && posix.basename(real) === skillFile)
    return { path: posix.dirname(real), shown: posix.dirname(shown) };
  const hint = "name a folder with skills, a skill's folder or its SKILL.md";
  throw new AppError("path.wrong-kind", `not a folder: ${safeLine(shown, 240)}; ${hint}`);
}
