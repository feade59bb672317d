import type { Finding } from "../../core/finding.ts";
import type { ProvenTree } from "../git/git.ts";
import { skillFile } from "../../skill/bundle.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import { parseJsonFile } from "./json.ts";
import { firstOf, parseSkillPaths, pathBelow, type SkillPaths } from "./plugin-paths.ts";
import { repositoryPathFault } from "../repository.ts";
import { sourceFinding } from "../source-faults.ts";
import { isFileMode, isFolderMode } from "../tree-index.ts";

/** A folder of a plugin to look for skills in. */
export interface SkillRoot {
  /** Inside the repository. */
  readonly path: string;
  /** `scan`: a folder of skill folders. `skill-or-folder`: that, or a skill itself. */
  readonly kind: "scan" | "skill-or-folder";
}

/** The most of plugin.json that is read. */
const mostPluginBytes = 2 ** 20;

export function pluginJsonPath(path: string): string {
  return pathBelow(path, ".claude-plugin/plugin.json");
}

/**
 * Which folders of a plugin hold skills: `skills/`, and what its entry and, where that has a say, its plugin.json name.
 * Named folders stand alone where the plugin is the marketplace itself: its `skills/` is not one plugin's.
 */
export function pluginSkillRoots(
  tree: ProvenTree,
  plugin: Pick<MarketplacePlugin, "place" | "skills" | "strict">,
  pluginJson: Uint8Array | null,
): { readonly roots: readonly SkillRoot[]; readonly findings: readonly Finding[] } {
  const { place, skills, strict } = plugin;
  const own = readPluginJson(pluginJson, pluginJsonPath(place.path), strict);
  const isNamed = skills.length > 0 || own.isNamed;
  const roots = new Map<string, SkillRoot>();
  const findings = [...own.findings];
  if (!isFolder(tree, place.path)) findings.push(leftOut(`there is no folder "${place.path}"`, place.path));
  const usual = pathBelow(place.path, "skills");
  const isReplaced = isNamed && place.kind === "here" && place.path === "";
  if (!isReplaced && isFolder(tree, usual)) roots.set(usual, { path: usual, kind: "scan" });
  for (const inside of [...skills, ...own.paths]) {
    const path = pathBelow(place.path, inside);
    const fault = repositoryPathFault(path) ?? (isFolder(tree, path) ? undefined : `"${path}" is no folder there`);
    if (fault !== undefined) findings.push(leftOut(`\`skills\`: ${fault}`, place.path));
    else if (!roots.has(path)) roots.set(path, { path, kind: "skill-or-folder" });
  }
  if (!isNamed && roots.size === 0 && isOneSkill(tree, place.path))
    roots.set(place.path, { path: place.path, kind: "skill-or-folder" });
  return { roots: [...roots.values()], findings };
}

function leftOut(message: string, path: string): Finding {
  return sourceFinding("marketplace.refused", message, path === "" ? "." : path);
}

type OwnPaths = Pick<SkillPaths, "isNamed" | "paths"> & { readonly findings: readonly Finding[] };

/** With `strict: false` the entry is all there is to say, and plugin.json has no say. */
function readPluginJson(bytes: Uint8Array | null, file: string, strict: boolean): OwnPaths {
  const nothing = { isNamed: false, paths: [] };
  if (bytes === null || !strict) return { ...nothing, findings: [] };
  const read = parseJsonFile(bytes, mostPluginBytes);
  if ("why" in read) return { ...nothing, findings: [sourceFinding("plugin.invalid", read.why, file, read.line)] };
  const { isNamed, paths, refused, lenient } = parseSkillPaths(read.fields.get("skills"));
  const findings = [
    ...(refused.length > 0 ? [sourceFinding("marketplace.refused", firstOf(refused), file)] : []),
    ...(lenient.length > 0 ? [sourceFinding("marketplace.lenient", firstOf(lenient), file)] : []),
  ];
  return { isNamed, paths, findings };
}

/** Also one whose listing could not be had: what is in it is not known, which is not nothing (IN-10). */
function isFolder(tree: ProvenTree, path: string): boolean {
  return path === "" || isFolderMode(tree.entries.get(path)?.mode) || isUnknown(tree, path);
}

function isUnknown({ unknown }: ProvenTree, path: string): boolean {
  return unknown.some((folder) => folder === "" || path === folder || path.startsWith(`${folder}/`));
}

function isOneSkill(tree: ProvenTree, path: string): boolean {
  return isFileMode(tree.entries.get(pathBelow(path, skillFile))?.mode) || isUnknown(tree, path);
}
