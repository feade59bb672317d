import type { Finding } from "../../core/finding.ts";
import { type Fields, fieldsOf } from "../../core/json/json.ts";
import { hasUnseen, nameKey, safeName } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";
import { fullName, type Repository } from "../repository.ts";
import { type SourceFaultCode, sourceFinding } from "../source-faults.ts";
import type { MarketplaceIndex, MarketplacePlugin, RefusedPlugin } from "./marketplace.ts";
import { parsePlace, type PlaceContext, type Refusal, refused, samePlaces } from "./place.ts";
import { firstOf, parseInside, parseSkillPaths } from "./plugin-paths.ts";

/** Where a repository that is a marketplace has its index. */
export const marketplaceFile = ".claude-plugin/marketplace.json";

/** An index while its entries are taken in, one by one. None of them stops another (IN-14). */
export class IndexReading {
  readonly #plugins: MarketplacePlugin[] = [];
  readonly #lines: number[] = [];
  readonly #refused: RefusedPlugin[] = [];
  readonly #findings: Finding[] = [];
  readonly #unknown = new UnknownFields();
  /** Names that were seen, also on entries that were refused: the first of a name counts, whatever became of it. */
  readonly #names = new Set<string>();
  readonly #context: PlaceContext;
  readonly #renames: ReadonlyMap<string, string | null>;

  constructor(sets: HostSets, top: Fields) {
    this.#unknown.inTop(top);
    this.#context = { sets, pluginRoot: this.#pluginRoot(top.get("metadata")) };
    const { renames, findings } = parseRenames(top.get("renames"), (message) =>
      sourceFinding("marketplace.renames", message, marketplaceFile),
    );
    this.#renames = renames;
    this.#findings.push(...findings);
    const owner = fieldsOf(top.get("owner"))?.get("name");
    if (typeof owner !== "string") this.#say("marketplace.field", "`owner` has no `name`", 1);
  }

  take(entry: unknown, at: number, line: number): void {
    const fields = fieldsOf(entry);
    const written = fields?.get("name");
    const isNamed = typeof written === "string" && safeName(written) !== "";
    const name = isNamed ? written : `plugins[${at}]`;
    if (fields === undefined) return this.#refuse(name, isNamed, refused("the entry is not an object"), line);
    this.#unknown.inEntry(fields);
    const read = this.#nameRefusal(written) ?? this.#parse(name, fields, line);
    if ("code" in read) return this.#refuse(name, isNamed, read, line);
    this.#plugins.push(read);
    this.#lines.push(line);
  }

  finish(name: string, here: Repository): MarketplaceIndex {
    const same = samePlaces(this.#plugins, here).map(({ code, message, at }) =>
      sourceFinding(code, message, marketplaceFile, this.#lines[at] ?? 1),
    );
    const { said } = this.#unknown;
    const unknown = said === undefined ? [] : [sourceFinding("marketplace.field", said, marketplaceFile)];
    return {
      name: safeName(name) || fullName(here),
      plugins: this.#plugins,
      refused: this.#refused,
      renames: this.#renames,
      findings: [...this.#findings, ...same, ...unknown],
    };
  }

  /** A name is picked by, shown and compared (SK-13); it is never a path. */
  #nameRefusal(name: unknown): Refusal | undefined {
    if (typeof name !== "string" || name === "") return refused("`name` is missing or is not text");
    if (!isPlainName(name))
      return refused("`name` is too long, or has spaces, commas, stars, slashes or characters that cannot be seen");
    const key = nameKey(name);
    if (this.#names.has(key)) return { code: "marketplace.duplicate", reason: "an earlier plugin has this name" };
    this.#names.add(key);
    return undefined;
  }

  #parse(name: string, fields: Fields, line: number): MarketplacePlugin | Refusal {
    const parsed = parsePlace(fields.get("source"), this.#context);
    if ("code" in parsed) return parsed;
    const { paths, refused: unusable, lenient } = parseSkillPaths(fields.get("skills"));
    // Without any of its folders it would be searched whole, which is not what its entry says.
    if (paths.length === 0 && unusable.length > 0) return refused(firstOf(unusable));
    if (unusable.length > 0) this.#say("marketplace.refused", `"${safeName(name)}": ${firstOf(unusable)}`, line);
    const oddities = [...(parsed.lenient === null ? [] : [parsed.lenient]), ...lenient];
    if (oddities.length > 0) this.#say("marketplace.lenient", `"${safeName(name)}": ${firstOf(oddities)}`, line);
    const strict = fields.get("strict") ?? true;
    if (typeof strict !== "boolean")
      this.#say("marketplace.field", `"${safeName(name)}": \`strict\` is neither true nor false; read as true`, line);
    return { name, place: parsed.place, skills: paths, strict: strict !== false };
  }

  #pluginRoot(metadata: unknown): string | undefined {
    const written = fieldsOf(metadata)?.get("pluginRoot");
    if (written === undefined) return undefined;
    const read = parseInside(written);
    if ("path" in read) return read.path;
    this.#say("marketplace.refused", `\`metadata.pluginRoot\`: ${read.why}`, 1);
    return undefined;
  }

  #refuse(name: string, isNamed: boolean, { code, reason }: Refusal, line: number): void {
    this.#refused.push({ name: isPlainName(name) ? name : safeName(name), isNamed, code, reason, line });
  }

  #say(code: SourceFaultCode, message: string, line: number): void {
    this.#findings.push(sourceFinding(code, message, marketplaceFile, line));
  }
}

const longestName = 128;

/** What can be picked by typing it, and cannot be taken for a list or for all. */
function isPlainName(name: string): boolean {
  return name.length <= longestName && /^[^\s,*/\\]+$/.test(name) && !hasUnseen(name);
}

/** What a marketplace may have at its top. */
const topFields = new Set(
  "$schema name owner plugins description version metadata renames allowCrossMarketplaceDependenciesOn forceRemoveDeletedPlugins".split(
    " ",
  ),
);

/** What an entry may have: what plugin.json may, and four of its own. */
const entryFields = new Set([
  ..."$schema name displayName version description author homepage repository license keywords dependencies".split(" "),
  ..."commands agents skills hooks mcpServers lspServers outputStyles themes monitors workflows channels".split(" "),
  ..."userConfig settings defaultEnabled experimental".split(" "),
  ..."source category tags strict relevance".split(" "),
]);

const shownFields = 8;

/** Fields that nobody knows, counted by their names: one sentence for all of them, however many there are. */
class UnknownFields {
  readonly #counts = new Map<string, number>();

  inTop(fields: Fields): void {
    this.#count(fields, topFields);
  }

  inEntry(fields: Fields): void {
    this.#count(fields, entryFields);
  }

  #count(fields: Fields, known: ReadonlySet<string>): void {
    for (const name of fields.keys()) if (!known.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Undefined where all are known. */
  get said(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    const named = [...this.#counts].slice(0, shownFields).map(([name, times]) => {
      return `"${safeName(name)}"${times > 1 ? ` (${times} times)` : ""}`;
    });
    const more = this.#counts.size - named.length;
    return `fields that are not known, and not read: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
}

type Say = (message: string) => Finding;

const most = 5000;

/** Old names to what they are called at last; null: there is no such plugin any more. Names in a circle lead nowhere. */
function parseRenames(
  value: unknown,
  say: Say,
): { readonly renames: ReadonlyMap<string, string | null>; readonly findings: readonly Finding[] } {
  const none: ReadonlyMap<string, string | null> = new Map();
  if (value === undefined) return { renames: none, findings: [] };
  const fields = fieldsOf(value);
  if (fields === undefined) return { renames: none, findings: [say("`renames` is not an object; not read")] };
  if (fields.size > most)
    return { renames: none, findings: [say(`\`renames\` has more than ${most} names; not read`)] };
  const steps = new Map<string, string | null>();
  const misshapen: string[] = [];
  for (const [name, to] of fields)
    if (to === null || (typeof to === "string" && to !== "")) steps.set(name, to);
    else misshapen.push(name);
  const { renames, circling } = resolve(steps);
  return {
    renames,
    findings: [
      ...(misshapen.length > 0 ? [say(`${shown(misshapen)}: a new name is text, or null; not read`)] : []),
      ...(circling.length > 0 ? [say(`${shown(circling)}: the new names lead in a circle; not followed`)] : []),
    ],
  };
}

/** Each name is walked over once: what is behind it is known from then on. Null in `ends` stands for itself. */
function resolve(steps: ReadonlyMap<string, string | null>): {
  readonly renames: ReadonlyMap<string, string | null>;
  readonly circling: readonly string[];
} {
  const ends = new Map<string, string | null>();
  const circling = new Set<string>();
  for (const start of steps.keys()) {
    const walked = new Set<string>();
    let at: string | null = start;
    while (at !== null && steps.has(at) && !ends.has(at) && !circling.has(at) && !walked.has(at)) {
      walked.add(at);
      at = steps.get(at) ?? null;
    }
    const isCircle = at !== null && (walked.has(at) || circling.has(at));
    const end = at !== null && ends.has(at) ? (ends.get(at) ?? null) : at;
    for (const name of walked)
      if (isCircle) circling.add(name);
      else ends.set(name, end);
  }
  return { renames: ends, circling: [...circling] };
}

const shownNames = 5;

function shown(names: readonly string[]): string {
  const some = names.slice(0, shownNames).map((name) => `"${safeName(name)}"`);
  return some.join(", ") + (names.length > some.length ? ` and ${names.length - some.length} more` : "");
}
