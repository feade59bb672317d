import type { Finding } from "../../core/finding.ts";
import { type Fields, fieldsOf } from "../../core/json/json.ts";
import { hasUnseen, nameKey, safeName } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";
import type { MarketplaceIndex, MarketplacePlugin, RefusedPlugin } from "./marketplace.ts";
import { UnknownFields } from "./fields.ts";
import { parsePlace, type PlaceContext, type Refusal } from "./place.ts";
import { parseRenames } from "./renames.ts";
import { samePlaces } from "./same.ts";
import { firstOf, parseInside, parseSkillPaths } from "./plugin-paths.ts";
import { fullName, type Repository } from "../repository.ts";
import { type SourceFaultCode, sourceFinding } from "../source-faults.ts";

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
    if (fields === undefined) return this.#refuse(name, isNamed, refusal("the entry is not an object"), line);
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
    if (typeof name !== "string" || name === "") return refusal("`name` is missing or is not text");
    if (!isPlainName(name))
      return refusal("`name` is too long, or has spaces, commas, stars, slashes or characters that cannot be seen");
    const key = nameKey(name);
    if (this.#names.has(key)) return { code: "marketplace.duplicate", reason: "an earlier plugin has this name" };
    this.#names.add(key);
    return undefined;
  }

  #parse(name: string, fields: Fields, line: number): MarketplacePlugin | Refusal {
    const parsed = parsePlace(fields.get("source"), this.#context);
    if ("code" in parsed) return parsed;
    const { paths, refused, lenient } = parseSkillPaths(fields.get("skills"));
    // Without any of its folders it would be searched whole, which is not what its entry says.
    if (paths.length === 0 && refused.length > 0) return refusal(firstOf(refused));
    if (refused.length > 0) this.#say("marketplace.refused", `"${safeName(name)}": ${firstOf(refused)}`, line);
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

function refusal(reason: string): Refusal {
  return { code: "marketplace.refused", reason };
}
