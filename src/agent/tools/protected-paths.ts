import { dirname, join, normalize, relative, resolve } from "node:path/posix";
import { AppError, orNull } from "../../core/error.ts";
import { nameKey, safeLine } from "../../core/text.ts";
import type { ToolCall } from "../../scope/tools/tools.ts";
import type { Files } from "../../core/world.ts";
import type { HostWord } from "../../scope/gate.ts";

/** What of a workspace is more than files to work on. */
export interface ProtectedPlaces {
  /** The real path of its folder. */
  readonly root: string;
  /**
   * Real paths of Skillward's own places, inside of the workspace or not: with a word written there an agent would
   * confirm skills to itself, or forge what was said. No tool reaches what is at or below them (T33).
   */
  readonly kept: readonly string[];
  /** From the root: where the repository lies when `.git` is no folder but names one. */
  readonly gitFolder?: string | null | undefined;
}

/** AG-7: what is Skillward's own is not even read. */
export function wordOnReading(places: ProtectedPlaces): (call: ToolCall) => HostWord {
  return ({ paths = [] }) => (paths.some((path) => isKept(places, path)) ? "deny" : "allow");
}

/** AG-7: what decides about later runs, of agents or of machines, is written only with a person's word each time. */
export function wordOnWriting(places: ProtectedPlaces): (call: ToolCall) => HostWord {
  return ({ paths = [] }) => {
    if (paths.some((path) => isKept(places, path))) return "deny";
    return paths.some((path) => isProtected(places, path)) ? "ask-always" : "allow";
  };
}

/** A path from the root, or a real one. */
export function isKept({ root, kept }: ProtectedPlaces, path: string): boolean {
  const real = resolve(root, path);
  return kept.some((place) => isAtOrBelow(real, place));
}

/** A path from the root. */
export function isProtected({ gitFolder = null }: ProtectedPlaces, path: string): boolean {
  return hasProtectedName(path) || (gitFolder !== null && isAtOrBelow(path, gitFolder));
}

/** Folders of agents. Skills in them are held back by other means until a person confirms them (AG-2). */
const homesOfSkills: ReadonlySet<string> = new Set([".agents", ".claude"]);

/** Wherever they stand in a path, as folder or file: in a workspace of many parts each has its own. */
const protectedNames: ReadonlySet<string> = new Set([
  // Git, and what it runs.
  ...words(".git .gitmodules .gitattributes .githooks .husky"),
  // What machines run for everybody.
  ...words(".github .gitlab .gitea .forgejo .woodpecker .circleci .buildkite .semaphore .teamcity .builds jenkinsfile"),
  // What agents are told and may do.
  ...words(".cursor .cursorrules .codex .gemini .windsurf .windsurfrules .clinerules .opencode opencode.json"),
  ...words("opencode.jsonc .roo .roorules .kiro .continue .zed .amp .junie .goosehints .rules .mcp.json .claude.json"),
  ...words("skillward.yaml skillward.yml skillward.lock"),
  // What editors and package managers run, or where they fetch from.
  ...words(".vscode .idea .devcontainer .devcontainer.json .npmrc .pnpmfile.cjs"),
  // What every shell of a person reads, where their home is the workspace.
  ...words(".profile .bashrc .bash_profile .bash_login .bash_logout .zshrc .zshenv .zprofile .zlogin .zlogout"),
  // Who a person is elsewhere, and how they get there.
  ...words(".ssh .gnupg .gitconfig .netrc .aws .kube .docker"),
]);

/** Of a home's folders with all sorts of things those that are run, or say what is. */
const protectedWithin: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [".config", new Set(["autostart", "fish", "git", "systemd"])],
  [".local", new Set(["bin"])],
]);

/**
 * Names of files that make a folder a repository of git, or tell one what to run: any folder can be one. Whether it is
 * cannot be known from the call; without `HEAD` it is none.
 */
const repositoryFiles: ReadonlySet<string> = new Set(words("head commondir gitdir config config.worktree"));

const protectedForms: readonly RegExp[] = [
  // `AGENTS.md` and its kin, `CLAUDE.local.md` too.
  /^(?:agents?|claude|gemini|qwen|warp)(?:\.[a-z-]{1,32})?\.md$/,
  // `.env.production`, and `.envrc`, which shells run; `.yarnrc.yml`; `.aider.conf.yml`.
  /^\.(?:env|yarnrc|aider)/,
  // CI of one file.
  /^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|\.?appveyor)\.ya?ml$/,
  /^\.(?:drone|travis|woodpecker|cirrus|taskcluster|build)\.ya?ml$/,
  // Hooks of git by configuration.
  /^(?:\.pre-commit-config|\.?lefthook)\.ya?ml$/,
];

/** Streams, short names and other separators: a name that some file system takes for another one. */
const otherSpelling = /[\\/:]|~\d/;

/** Whether a path from the root of the workspace has a name that decides about later runs, of agents or of machines. */
function hasProtectedName(path: string): boolean {
  const names = namesOf(path);
  const keys = names.map(diskKey);
  return keys.some((key, at) => {
    if (homesOfSkills.has(key)) return !(names[at + 1] === "skills" && names.length > at + 2);
    return (
      protectedNames.has(key) ||
      protectedWithin.get(key)?.has(keys[at + 1] ?? "") === true ||
      (at === keys.length - 1 && repositoryFiles.has(key)) ||
      protectedForms.some((form) => form.test(key)) ||
      otherSpelling.test(key)
    );
  });
}

/** Whether a path is another one or lies below it, in any spelling that some disk would take for it. */
function isAtOrBelow(path: string, folder: string): boolean {
  const keys = namesOf(path).map(diskKey);
  return namesOf(folder).every((name, at) => diskKey(name) === keys[at]);
}

function namesOf(path: string): string[] {
  return normalize(path)
    .split("/")
    .filter((name) => name !== "" && name !== ".");
}

function diskKey(name: string): string {
  return nameKey(name).replace(/[. ]{1,1024}$/, "");
}

function words(text: string): string[] {
  return text.split(" ");
}

/** As much as git itself reads of such a file. */
const mostOfGitFile = 1024 * 1024;

/**
 * The folder inside of a workspace that its `.git` names, by a line in it or as a link: from the root, null when it is
 * a plain folder, none, or one elsewhere.
 */
export async function findGitFolder(files: Files, root: string): Promise<string | null> {
  const git = join(root, ".git");
  const found = await files.resolve(git).catch(orNull);
  if (found === null) return null;
  const named = await files.read(found, mostOfGitFile).catch(orNull);
  const real = named instanceof Uint8Array ? await namedFolder(files, root, named) : found;
  if (real === null || real === git) return null;
  const inside = relative(root, real);
  return inside === ".." || inside.startsWith("../") ? null : inside || ".";
}

async function namedFolder(files: Files, root: string, bytes: Uint8Array): Promise<string | null> {
  const text = Buffer.from(bytes).toString("utf8");
  if (!text.startsWith("gitdir:")) return null;
  const [folder = ""] = text.slice("gitdir:".length).trim().split("\0");
  return folder === "" ? null : realPathOf(files, folder.startsWith("/") ? folder : join(root, folder));
}

/** The real path of what may not be there yet: that of the nearest above it that is, and the rest as it was written. */
export async function realPathOf(files: Files, path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await files.resolve(at).catch(orNull);
    if (real !== null) return join(real, relative(at, path));
    if (dirname(at) === at) return path;
  }
}

/**
 * T33: `hooks` is a name that any folder may have, so that nobody was asked. Beside what a repository is made of, it
 * holds programs that git will run; `HEAD` and its like cannot come later without a person's word.
 */
export async function demandNoHook(files: Files, root: string, path: string): Promise<void> {
  const names = namesOf(path);
  for (const [at, name] of names.slice(0, -1).entries()) {
    if (diskKey(name) !== "hooks") continue;
    const folder = join(root, ...names.slice(0, at));
    if (!(await isRepository(files, folder))) continue;
    throw new AppError(
      "path.wrong-kind",
      `${safeLine(path, 240)} is a hook of a git repository, which git would run; it is written with shell alone`,
    );
  }
}

/** Or a part of one: where `HEAD` lies, or where it says that the rest does. */
async function isRepository(files: Files, folder: string): Promise<boolean> {
  const has = async (name: string) => (await files.kind(join(folder, name)).catch(orNull)) !== null;
  if ((await has("HEAD")) || (await has("commondir"))) return true;
  return (await has("objects")) && (await has("refs"));
}
