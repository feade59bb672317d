import { normalize } from "node:path/posix";
import { nameKey } from "../../../base/text.ts";

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
export function hasProtectedName(path: string): boolean {
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
export function isAtOrBelow(path: string, folder: string): boolean {
  const keys = namesOf(path).map(diskKey);
  return namesOf(folder).every((name, at) => diskKey(name) === keys[at]);
}

export function namesOf(path: string): string[] {
  return normalize(path)
    .split("/")
    .filter((name) => name !== "" && name !== ".");
}

export function diskKey(name: string): string {
  return nameKey(name).replace(/[. ]{1,1024}$/, "");
}

function words(text: string): string[] {
  return text.split(" ");
}
