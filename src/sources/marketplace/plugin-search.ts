import type { Finding } from "../../core/finding.ts";
import type { ProvenTree } from "../git/git.ts";
import type { GitHub } from "../github/github.ts";
import { finding } from "../../skill/faults.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import { pluginJsonPath, pluginSkillRoots } from "./plugin.ts";
import { provenFile } from "../proven-file.ts";
import { walkDepth } from "../read-repo.ts";
import type { PinnedTree } from "../read-skills.ts";
import { findTreeSkills, type FoundInTree } from "../tree-skills.ts";

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
