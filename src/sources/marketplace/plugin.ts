import type { Finding } from "../../core/finding.ts";
import { skillFile } from "../../skill/bundle.ts";
import { finding } from "../../skill/faults.ts";
import type { ProvenTree } from "../git/git.ts";
import type { GitHub } from "../github/github.ts";
import { provenFile, walkDepth } from "../read-repo.ts";
import type { PinnedTree } from "../read-skills.ts";
import { repositoryPathFault } from "../repository.ts";
import { sourceFinding } from "../source-faults.ts";
import { isFileMode, isFolderMode } from "../tree-index.ts";
import { findTreeSkills, type FoundInTree } from "../tree-skills.ts";
import { parseJsonFile } from "./json.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import { firstOf, parseSkillPaths, pathBelow, type SkillPaths } from "./plugin-paths.ts";

/** A folder of a plugin to look for skills in. */
interface SkillRoot {
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

export interface FoundSkills {
  /** The same one for plugins that name the same folders. */
  readonly found: Pick<FoundInTree, "skills" | "unvisited">;
  readonly findings: readonly Finding[];
  /** Whether it is known what the plugin names, and all of that was searched. */
  readonly isWhole: boolean;
}

const mostPluginJson = 2 ** 20;

/**
 * What is looked at of one tree in one sync, all plugins together. A search is not interrupted by anything, and an index
 * may have thousands of plugins that each name the whole of a large repository.
 */
const mostLookedAt = 400_000;

interface Searched {
  readonly found: Map<string, FoundInTree>;
  lookedAt: number;
}

const nothing = { skills: [], unvisited: [] };

/** The searches of one sync. What was searched for one plugin is not searched again for another. */
export class PluginSearches {
  readonly #skip: readonly string[];
  readonly #trees = new WeakMap<ProvenTree, Searched>();

  constructor(skip: readonly string[]) {
    this.#skip = skip;
  }

  /** Where its entry, its own description and the usual places say (formats: marketplace.json). */
  async skillsOf(github: GitHub, at: PinnedTree, plugin: MarketplacePlugin): Promise<FoundSkills> {
    const { path } = plugin.place;
    const manifest = plugin.strict ? await provenFile(github, at, pluginJsonPath(path), mostPluginJson) : null;
    const { roots, findings: said } = pluginSkillRoots(at.tree, plugin, manifest);
    // IN-21: what a description that cannot be read names is not known, which is not nothing.
    const isKnown = !said.some(({ code }) => code === "plugin.invalid");
    const search = this.#search(
      at.tree,
      roots.map((root) => root.path),
    );
    if (search === undefined) return { found: nothing, findings: [...said, tooMany(path)], isWhole: false };
    return { found: search.found, findings: [...said, ...search.findings], isWhole: isKnown };
  }

  /** Undefined where enough was looked at. What is to be said of a search is said once. */
  #search(tree: ProvenTree, roots: readonly string[]) {
    const searched = this.#trees.get(tree) ?? { found: new Map<string, FoundInTree>(), lookedAt: 0 };
    this.#trees.set(tree, searched);
    const key = JSON.stringify(roots);
    const known = searched.found.get(key);
    if (known !== undefined) return { found: known, findings: [] };
    if (searched.lookedAt > mostLookedAt) return undefined;
    const found = findTreeSkills(tree, { roots, skip: this.#skip, depth: walkDepth });
    searched.lookedAt += found.lookedAt;
    searched.found.set(key, found);
    return { found, findings: found.findings };
  }
}

function tooMany(path: string): Finding {
  return finding(
    "walk.bounds",
    "the plugins of this repository name more folders than are searched in one sync; pick fewer of them",
    path === "" ? "." : path,
  );
}
