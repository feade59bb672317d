import { safeName } from "../../core/text.ts";
import type { MarketplacePlugin, PluginPlace } from "./marketplace.ts";
import { identityOf, type Repository } from "../repository.ts";

interface SamePlace {
  readonly code: "marketplace.same" | "marketplace.duplicate";
  readonly message: string;
  /** Which of the plugins. */
  readonly at: number;
}

/**
 * Plugins of one identity (IN-14). Several may share a folder, each with skills of its own; those that have the same
 * ones are noted. One place at two commits cannot be: an entry has one identity, and one commit.
 */
export function samePlaces(plugins: readonly MarketplacePlugin[], here: Repository): SamePlace[] {
  const first = new Map<string, MarketplacePlugin>();
  const withSkills = new Map<string, MarketplacePlugin>();
  return plugins.flatMap((plugin, at): SamePlace[] => {
    const identity = identityOf(repositoryOf(plugin.place, here), plugin.place.path);
    const earlier = firstUnder(first, identity, plugin);
    const twin = firstUnder(withSkills, JSON.stringify([identity, plugin.skills, plugin.strict]), plugin);
    if (earlier !== undefined && pinOf(earlier.place, here) !== pinOf(plugin.place, here))
      return [{ at, code: "marketplace.duplicate", message: `${both(plugin, earlier)} at another ref or commit` }];
    if (twin === undefined) return [];
    return [{ at, code: "marketplace.same", message: `${both(plugin, twin)}, with the same skills` }];
  });
}

/** The one that was there before, if any. */
function firstUnder(
  map: Map<string, MarketplacePlugin>,
  key: string,
  plugin: MarketplacePlugin,
): MarketplacePlugin | undefined {
  const earlier = map.get(key);
  if (earlier === undefined) map.set(key, plugin);
  return earlier;
}

function both({ name }: MarketplacePlugin, earlier: MarketplacePlugin): string {
  return `"${safeName(name)}" is in the same place as "${safeName(earlier.name)}"`;
}

function repositoryOf(place: PluginPlace, here: Repository): Repository {
  return place.kind === "here" ? here : place.repository;
}

function pinOf(place: PluginPlace, here: Repository): string {
  const { hosts } = repositoryOf(place, here);
  return place.kind === "here" ? `${hosts.name} here` : `${hosts.name} ${place.sha ?? place.ref ?? ""}`;
}
