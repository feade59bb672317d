import { AppError } from "../../../base/error.ts";
import type { Clock, Files } from "../../../base/world.ts";
import { createIgnored, type IgnoreRule, parseGitIgnore } from "./git-ignore.ts";
import { isSameFile, type SeenFile, seenAt } from "./stamps.ts";

export const ignoreFile = ".gitignore";
const excludeFile = ".git/info/exclude";
const mostBytes = 64 * 1024;

interface KnownRules extends SeenFile {
  readonly rules: readonly IgnoreRule[];
}

/** The ignore files of a folder tree, each read once as long as it stays as it is. */
export class KnownIgnores {
  readonly #world: { readonly files: Files; readonly clock: Clock };
  readonly #root: string;
  #known = new Map<string, KnownRules>();

  constructor(world: { readonly files: Files; readonly clock: Clock }, root: string) {
    this.#world = world;
    this.#root = root;
  }

  /** By those of the folders that hold an ignore file, with `/` from the root. */
  async ignored(folders: readonly string[]): Promise<(path: string) => boolean> {
    const before = this.#known;
    this.#known = new Map();
    const rules = new Map<string, readonly IgnoreRule[]>();
    for (const folder of folders)
      rules.set(folder, await this.#rules(before, folder === "" ? ignoreFile : `${folder}/${ignoreFile}`));
    return createIgnored(rules, await this.#excluded(before));
  }

  /** The folders above it were not walked: one of them may be a link. */
  async #excluded(before: ReadonlyMap<string, KnownRules>): Promise<readonly IgnoreRule[]> {
    const path = `${this.#root}/${excludeFile}`;
    const real = await this.#world.files.resolve(path).catch(() => undefined);
    return real === path ? await this.#rules(before, excludeFile) : [];
  }

  /** None of a file that is not there, cannot be read or is too large: a remark less. */
  async #rules(before: ReadonlyMap<string, KnownRules>, path: string): Promise<readonly IgnoreRule[]> {
    const { files, clock } = this.#world;
    const now = clock.now();
    try {
      const stamp = await files.stamp(`${this.#root}/${path}`);
      const known = before.get(path);
      const rules = known !== undefined && isSameFile(known, stamp) ? known.rules : await this.#read(path);
      this.#known.set(path, { ...seenAt(stamp, now), rules });
      return rules;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [];
    }
  }

  async #read(path: string): Promise<readonly IgnoreRule[]> {
    const bytes = await this.#world.files.read(`${this.#root}/${path}`, mostBytes);
    return bytes instanceof Uint8Array ? parseGitIgnore(Buffer.from(bytes).toString("utf8")) : [];
  }
}
