import { ahead } from "../../core/async.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { type EntryId, entryId } from "../../core/ids.ts";
import { limits, type WalkLimits, withDefaults } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import type { Clock, Files } from "../../core/world.ts";
import { type Bundle, skillFile } from "../../skill/bundle.ts";
import { finding } from "../../skill/faults.ts";
import { loadBundle } from "../../skill/load-bundle.ts";
import { agentFinding, keepHeaviest } from "../agent-faults.ts";
import type { LoadedRoot, RootSkill, SkillOrigin, SkillRoot } from "./agent-skill.ts";
import { KnownIgnores } from "./git-ignore.ts";
import { type KnownSkill, readSkill } from "./known-skill.ts";
import { type IgnorePatterns, readIgnorePatterns, type SkillPlace, walkRoot } from "./walk-root.ts";

interface FolderRootOptions {
  readonly id: string;
  readonly origin: SkillOrigin;
  /** The real path: no part of it is a link. */
  readonly path: string;
  /** Path patterns from `path` on, below which no skill is looked for. */
  readonly ignore: readonly string[];
  readonly limits?: Partial<WalkLimits>;
}

interface FolderRootWorld {
  readonly files: Files;
  readonly clock: Clock;
}

/** The skills of a folder tree (AG-1). What was read stays known: loading again costs a walk, and reading what changed. */
export function createFolderRoot(world: FolderRootWorld, options: FolderRootOptions): SkillRoot {
  return new FolderRoot(world, options);
}

/** Of all skills of one root together. */
const mostFiles = 50_000;
const mostBytes = 512 * 2 ** 20;
const mostFindings = 200;
/** Reading waits for the disk most of the time. */
const readAhead = 16;

class FolderRoot implements SkillRoot {
  readonly id: string;
  readonly origin: SkillOrigin;
  readonly #world: FolderRootWorld;
  readonly #path: string;
  readonly #limits: WalkLimits;
  readonly #patterns: IgnorePatterns;
  readonly #ignores: KnownIgnores;
  #known: ReadonlyMap<EntryId, KnownSkill> = new Map();

  constructor(world: FolderRootWorld, { id, origin, path, ignore, limits: wanted }: FolderRootOptions) {
    this.id = id;
    this.origin = origin;
    this.#world = world;
    this.#path = path;
    this.#limits = withDefaults<WalkLimits>(limits.walk, wanted);
    this.#patterns = readIgnorePatterns(ignore);
    this.#ignores = new KnownIgnores(world, path);
  }

  async load(): Promise<LoadedRoot> {
    const walk = await walkRoot(this.#world.files, this.#path, this.#limits, this.#patterns);
    const { known, findings } = await this.#read(walk.places);
    const all = [...known.values()];
    const isIgnored = await this.#ignores.ignored(foldersAbove(all, walk.ignoring));
    this.#known = known;
    return {
      skills: all.map(({ skill }) => (isIgnored(fileOf(skill)) ? ignoredByGit(skill) : skill)),
      findings: keepHeaviest([...this.#patterns.findings, ...walk.findings, ...findings], mostFindings, "."),
      // Those of skills first: whoever cannot watch all of them watches these.
      folders: [...new Set([...all.flatMap(({ folders }) => folders), ...walk.folders])],
    };
  }

  async open(entry: EntryId): Promise<Bundle> {
    const folder = this.#known.get(entry)?.at;
    if (folder === undefined) throw new AppError("record.missing", `there is no skill ${safeLine(entry, 240)}`);
    // A folder further up may be a link by now: what lies behind it was never looked at.
    if ((await this.#world.files.resolve(folder.path)) !== folder.path)
      throw new AppError("path.wrong-kind", `behind a symbolic link by now: ${safeLine(folder.path, 240)}`);
    return await loadBundle(this.#world.files, folder, limits.skill.workspace);
  }

  async #read(places: readonly SkillPlace[]): Promise<{ known: Map<EntryId, KnownSkill>; findings: Finding[] }> {
    const known = new Map<EntryId, KnownSkill>();
    const read = { files: 0, bytes: 0 };
    const readPlace = (place: SkillPlace) =>
      readSkill(this.#world, this.id, place, this.#known.get(entryId({ source: this.id, path: place.path })));
    for await (const each of ahead(places, readAhead, readPlace)) {
      read.files += each.files.size;
      read.bytes += each.size;
      if (read.files > mostFiles || read.bytes > mostBytes) {
        const bound = `skills of more than ${mostFiles} files or ${mostBytes} bytes together`;
        const words = `${bound}; ${known.size} of ${places.length} were read, the rest was not`;
        return { known, findings: [finding("walk.bounds", words, ".")] };
      }
      known.set(each.skill.entry, each);
    }
    return { known, findings: [] };
  }
}

function fileOf({ path }: RootSkill): string {
  return path === "" ? skillFile : `${path}/${skillFile}`;
}

function ignoredByGit(skill: RootSkill): RootSkill {
  const remark = agentFinding("agent.git-ignored", fileOf(skill), "git ignores this file; it is loaded all the same");
  return { ...skill, findings: [...skill.findings, remark] };
}

/** Of some folders those that a skill lies in: no other has a say. */
function foldersAbove(skills: readonly KnownSkill[], some: ReadonlySet<string>): readonly string[] {
  if (some.size === 0) return [];
  const above = new Set<string>([""]);
  for (const { skill } of skills)
    for (let { path } = skill; !above.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf("/"))))
      above.add(path);
  return [...some].filter((folder) => above.has(folder));
}
