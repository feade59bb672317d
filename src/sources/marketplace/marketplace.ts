import type { Finding } from "../../core/finding.ts";
import type { Fields } from "../../core/json/json.ts";
import { safeName } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";
import { IndexReading, marketplaceFile } from "./entries.ts";
import { parseJsonFile } from "./json.ts";
import type { ObjectId } from "../ref.ts";
import type { Repository } from "../repository.ts";
import { sourceFinding } from "../source-faults.ts";

export interface MarketplaceIndex {
  readonly name: string;
  readonly plugins: readonly MarketplacePlugin[];
  /** Entries that are no children, each by name with why. They are not among the findings. */
  readonly refused: readonly RefusedPlugin[];
  /** Old names to the last of the new ones; null: gone. */
  readonly renames: ReadonlyMap<string, string | null>;
  readonly findings: readonly Finding[];
}

export interface MarketplacePlugin {
  readonly name: string;
  readonly place: PluginPlace;
  /** Folders that the entry names itself, inside the plugin; empty: it names none. */
  readonly skills: readonly string[];
  /** Whether plugin.json has a say besides the entry. */
  readonly strict: boolean;
}

/** Where a plugin is: in the marketplace's own repository, or in another. */
export type PluginPlace =
  | { readonly kind: "here"; readonly path: string }
  | {
      readonly kind: "elsewhere";
      readonly repository: Repository;
      readonly path: string;
      /** As written, a bare name; a hint where there is a `sha`, which wins. */
      readonly ref: string | null;
      readonly sha: ObjectId | null;
    };

export interface RefusedPlugin {
  /** As it may be shown; `plugins[3]` where there is none. */
  readonly name: string;
  /** Whether that is a name of its own: without one it may be any. */
  readonly isNamed: boolean;
  readonly code: string;
  readonly reason: string;
  /** Where its entry begins. */
  readonly line: number;
}

/** The most of a marketplace: the official one has some 300 plugins in a quarter of a megabyte. */
export const mostIndexBytes = 4 * 2 ** 20;
const mostPlugins = 5000;

/** Reads a marketplace (IN-14). One bad entry never stops the others; a fault is what makes all of it unreadable. */
export function parseMarketplace(
  bytes: Uint8Array,
  sets: HostSets,
  here: Repository,
): { readonly index: MarketplaceIndex } | { readonly fault: Finding } {
  const file = parseJsonFile(bytes, mostIndexBytes);
  if ("why" in file) return { fault: invalid(file.why, file.line) };
  const { fields } = file;
  const [name, listed] = [fields.get("name"), fields.get("plugins")];
  if (!Array.isArray(listed) || typeof name !== "string" || name === "" || !fields.has("owner"))
    return { fault: invalid(`it lacks ${missing(fields)}`) };
  const entries: readonly unknown[] = listed;
  if (entries.length > mostPlugins) return { fault: invalid(`it has more than ${mostPlugins} plugins`) };
  const reading = new IndexReading(sets, fields);
  // Lines that do not fit are of another list of that name, of which the last one counts.
  const lines = file.pluginLines.length === entries.length ? file.pluginLines : [];
  for (const [at, entry] of entries.entries()) reading.take(entry, at, lines[at] ?? 1);
  return { index: reading.finish(name, here) };
}

function invalid(why: string, line = 1): Finding {
  return sourceFinding("marketplace.invalid", `the marketplace cannot be read: ${why}`, marketplaceFile, line);
}

function missing(fields: Fields): string {
  const [name, plugins] = [fields.get("name"), fields.get("plugins")];
  const lacks = [
    ...(typeof name === "string" && name !== "" ? [] : ["`name`"]),
    ...(fields.has("owner") ? [] : ["`owner`"]),
    ...(Array.isArray(plugins) ? [] : ["a list of `plugins`"]),
  ];
  return lacks.join(" and ");
}

/** Up to so many plugins all are read where nobody picked; beyond that a person picks (IN-14). */
const mostUnpicked = 50;

/** Which plugins' contents are wanted, by their present names (IN-14). `wasIncluded` is asked by present and by old names. */
export function resolveIncluded(
  include: readonly string[] | null,
  index: MarketplaceIndex,
  wasIncluded: (name: string) => boolean,
): { readonly included: ReadonlySet<string>; readonly findings: readonly Finding[] } {
  const names = new Set(index.plugins.map(({ name }) => name));
  if (include === null) return { included: unpicked(names, index, wasIncluded), findings: [] };
  if (include.includes("*")) return { included: names, findings: [] };
  const included = new Set<string>();
  const findings: Finding[] = [];
  for (const picked of new Set(include)) {
    // A name that is listed is that plugin, also where an older one of that name was called otherwise since.
    const name = names.has(picked) ? picked : (index.renames.get(picked) ?? picked);
    if (names.has(name)) included.add(name);
    else findings.push(unknown(picked, name, index));
  }
  return { included, findings };
}

function unpicked(
  names: ReadonlySet<string>,
  { renames }: MarketplaceIndex,
  wasIncluded: (name: string) => boolean,
): ReadonlySet<string> {
  if (names.size <= mostUnpicked) return names;
  const included = new Set([...names].filter(wasIncluded));
  for (const [old, name] of renames) if (name !== null && names.has(name) && wasIncluded(old)) included.add(name);
  return included;
}

function unknown(picked: string, name: string, { refused, renames }: MarketplaceIndex): Finding {
  const reason = refused.find((each) => each.name === name)?.reason;
  const gone = renames.get(picked) === null ? "its marketplace took it out" : "its marketplace does not list it";
  const why = reason === undefined ? gone : `cannot be read: ${reason}`;
  return sourceFinding("include.unknown", `"${safeName(picked)}" was picked, but ${why}`, marketplaceFile);
}
