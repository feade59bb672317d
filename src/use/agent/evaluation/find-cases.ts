import { posix } from "node:path";
import { AppError } from "../../../base/error.ts";
import { limits } from "../../../base/limits.ts";
import { safeLine } from "../../../base/text.ts";
import type { Files } from "../../../base/world.ts";

export const caseEnding = ".case.yaml";

const skipped = new Set([".git", "node_modules"]);
const mostCases = 1000;
const { depth: deepest, folders: mostFolders, folderEntries } = limits.walk;

/**
 * The cases in a folder and all below it, or the one that was named; paths relative to the folder. A walk that cannot
 * see all of them is refused: what is left out would pass.
 */
export async function findCases(
  files: Files,
  named: string,
): Promise<{ readonly folder: string; readonly cases: readonly string[] }> {
  // Links are followed here, and only here: this is a path that a person named.
  const real = await files.resolve(named);
  if ((await files.kind(real)) !== "folder") return oneCase(real, named);
  const cases: string[] = [];
  const waiting = [{ inside: "", depth: 0 }];
  for (const { inside, depth } of waiting) {
    const { entries, complete } = await files.list(posix.join(real, inside), folderEntries);
    if (!complete || depth > deepest || waiting.length > mostFolders || cases.length > mostCases)
      throw refused(
        named,
        `has more than is looked through for cases, at ${safeLine(inside, 120)}; name a smaller folder`,
      );
    for (const { name, kind } of entries) {
      const path = posix.join(inside, name);
      if (kind === "file" && name.endsWith(caseEnding)) cases.push(path);
      else if (kind === "link" && name.endsWith(caseEnding))
        throw refused(named, `has a case that is a symbolic link, and none is followed: ${safeLine(path, 120)}`);
      else if (kind === "folder" && !skipped.has(name)) waiting.push({ inside: path, depth: depth + 1 });
    }
  }
  if (cases.length === 0) throw refused(named, `has no file that ends in ${caseEnding}: nothing would be proven`);
  return { folder: real, cases: cases.toSorted() };
}

function oneCase(real: string, named: string): { readonly folder: string; readonly cases: readonly string[] } {
  if (!real.endsWith(caseEnding)) throw refused(named, `is no folder, and its name does not end in ${caseEnding}`);
  return { folder: posix.dirname(real), cases: [posix.basename(real)] };
}

function refused(path: string, why: string): AppError {
  return new AppError("usage.invalid", `${safeLine(path, 240)} ${why}`);
}
