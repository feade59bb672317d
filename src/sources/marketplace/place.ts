import { AppError } from "../../core/error.ts";
import { type Fields, fieldsOf } from "../../core/json/json.ts";
import { safeLine, safeName } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";
import { isObjectId, isRefName } from "../ref.ts";
import { identityOf, type Repository, repositoryPathFault } from "../repository.ts";
import type { SourceFaultCode } from "../source-faults.ts";
import { parseTyped } from "../typed.ts";
import type { MarketplacePlugin, PluginPlace } from "./marketplace.ts";
import { parseInside, pathBelow } from "./plugin-paths.ts";

export interface Refusal {
  readonly code: SourceFaultCode | "host.refused";
  readonly reason: string;
}

/** A place; `lenient` says what of it is not written as the format has it. */
type ParsedPlace = { readonly place: PluginPlace; readonly lenient: string | null } | Refusal;

export interface PlaceContext {
  /** What a short form means, and where else plugins may be. */
  readonly sets: HostSets;
  /** `metadata.pluginRoot`, checked; undefined where there is none, or none that can be used. */
  readonly pluginRoot: string | undefined;
}

/** `source` of an entry, in each of its forms. */
export function parsePlace(source: unknown, context: PlaceContext): ParsedPlace {
  if (typeof source === "string") return written(source, context);
  const fields = fieldsOf(source);
  if (fields === undefined) return refused("`source` is missing, or neither text nor an object");
  const kind = fields.get("source");
  const read = typeof kind === "string" ? kinds.get(kind) : undefined;
  if (read !== undefined) return read(fields, context);
  const shown = typeof kind === "string" ? `"${safeLine(kind, 40)}"` : "nothing";
  return refused(`\`source.source\` is ${shown}, which is no kind of source`);
}

type ReadKind = (fields: Fields, context: PlaceContext) => ParsedPlace;

const kinds: ReadonlyMap<string, ReadKind> = new Map<string, ReadKind>([
  ["github", (fields, { sets }) => elsewhere(fields, repositoryIn(fields, "repo", sets))],
  ["url", (fields, { sets }) => elsewhere(fields, repositoryIn(fields, "url", sets))],
  ["git-subdir", (fields, { sets }) => subfolder(fields, sets)],
  [
    "git",
    (fields, { sets }) => leniently(elsewhere(fields, repositoryIn(fields, "url", sets)), "`git` is read as `url`"),
  ],
  ["npm", () => unsupported("a package of npm")],
  ["archive", () => unsupported("an archive")],
  ["command", () => unsupported("a command's output, and no command is run")],
  ["pip", () => unsupported("a package of pip, which is no kind of source in this format either")],
]);

/** A text: `./x`, a bare name below `pluginRoot`, or what the format does not have, `owner/repo`. */
function written(source: string, { sets, pluginRoot }: PlaceContext): ParsedPlace {
  if (/^\.(?:\/|$)/.test(source)) return placeHere(source, "");
  if (/^[^/\\:]+$/.test(source) && source !== "..") {
    if (pluginRoot !== undefined) return placeHere(source, pluginRoot);
    return refused(`"${safeLine(source, 80)}" is a bare name, which needs a usable \`metadata.pluginRoot\`; write ./…`);
  }
  const isShort = /^[^/\\:.]+\/[^/\\:]+$/.test(source);
  if (!isShort || pluginRoot !== undefined)
    return refused(`"${safeLine(source, 80)}" is not a path that begins with ./, nor an object`);
  const parsed = elsewhere(new Map(), repositoryOf(source, sets));
  return leniently(parsed, "`owner/repo` as text is read as a source of the kind `github`");
}

function placeHere(source: string, root: string): ParsedPlace {
  const read = parseInside(source);
  if ("why" in read) return refused(read.why);
  const path = pathBelow(root, read.path);
  const why = repositoryPathFault(path);
  return why === undefined ? { place: { kind: "here", path }, lenient: null } : refused(why);
}

function subfolder(fields: Fields, sets: HostSets): ParsedPlace {
  if (fields.get("path") === undefined) return refused("`source.path` is missing, which `git-subdir` needs");
  return elsewhere(fields, repositoryIn(fields, "url", sets));
}

function elsewhere(fields: Fields, repository: Repository | Refusal): ParsedPlace {
  if ("code" in repository) return repository;
  const [path, ref, sha] = [fields.get("path") ?? ".", fields.get("ref") ?? "", fields.get("sha") ?? null];
  const inside = parseInside(path);
  if ("why" in inside) return refused(`\`source.path\`: ${inside.why}`);
  if (typeof ref !== "string" || (ref !== "" && !isRefName(ref)))
    return refused("`source.ref` is not what git can name a branch or tag");
  if (sha !== null && (typeof sha !== "string" || !isObjectId(sha)))
    return refused("`source.sha` is not 40 lowercase hex digits");
  const place: PluginPlace = { kind: "elsewhere", repository, path: inside.path, ref: ref === "" ? null : ref, sha };
  return { place, lenient: null };
}

function repositoryIn(fields: Fields, field: "repo" | "url", sets: HostSets): Repository | Refusal {
  const text = fields.get(field);
  if (typeof text !== "string" || text === "") return refused(`\`source.${field}\` is missing or is not text`);
  if (field === "repo" && !/^[^/:]+\/[^/:]+$/.test(text)) return refused("`source.repo` is not owner/name");
  return repositoryOf(text, sets);
}

/** A whole repository, by any form that a person may type too. Anything in it has fields of its own here. */
function repositoryOf(text: string, sets: HostSets): Repository | Refusal {
  try {
    const typed = parseTyped(text, sets);
    if (typed.kind === "repository" && typed.ref === null && typed.path === "" && typed.mixed === null)
      return typed.repository;
    return refused("`source` does not name a whole repository; `path` and `ref` are fields of their own");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code === "host.refused" ? "host.refused" : "marketplace.refused", reason: error.message };
  }
}

function leniently(parsed: ParsedPlace, lenient: string): ParsedPlace {
  return "code" in parsed ? parsed : { ...parsed, lenient };
}

export function refused(reason: string): Refusal {
  return { code: "marketplace.refused", reason };
}

function unsupported(what: string): Refusal {
  return { code: "marketplace.unsupported", reason: `it is ${what}; skills are taken from repositories only` };
}

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
    const identity = identityOf(repositoryAt(plugin.place, here), plugin.place.path);
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

function repositoryAt(place: PluginPlace, here: Repository): Repository {
  return place.kind === "here" ? here : place.repository;
}

function pinOf(place: PluginPlace, here: Repository): string {
  const { hosts } = repositoryAt(place, here);
  return place.kind === "here" ? `${hosts.name} here` : `${hosts.name} ${place.sha ?? place.ref ?? ""}`;
}
