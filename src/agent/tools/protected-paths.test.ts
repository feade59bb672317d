import { describe, expect, it } from "vitest";
import { isKept, isProtected, wordOnReading, wordOnWriting } from "./protected-paths.ts";

const home = { root: "/home/a", kept: [] };

describe("AG-7: what decides about later runs is written only with a person's word", () => {
  it.each([
    ".git",
    ".git/config",
    ".git/hooks/pre-commit",
    "vendor/part/.git/config",
    ".GIT/config",
    ".git./config",
    ".git /config",
    "a/../.git/x",
    "./.git//x",
    ".g\u200cit/config",
    "\uff0egit/config",
    "\u2024git/config",
    "git~1/config",
    ".git::$INDEX_ALLOCATION/config",
    "a\\.git\\config",
    ".claude/settings.json",
    ".claude/skills",
    ".claude/skills/../settings.json",
    ".claude/hooks/run.sh",
    ".claude/\u017fkills/a/SKILL.md",
    ".agents/settings.json",
    ".claude/skills/a/.git/hooks/x",
    ".cursor/rules/a.md",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".vscode/tasks.json",
    ".mcp.json",
    "AGENTS.md",
    "part/agents.MD",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".env",
    ".env.production",
    "skillward.yaml",
    "Skillward.YAML",
    "skillward.lock",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    ".drone.yml",
    ".travis.yml",
    "bitbucket-pipelines.yml",
    ".husky/pre-commit",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".npmrc",
    "part/.yarnrc.yml",
    ".gitea/workflows/ci.yml",
    ".forgejo/workflows/ci.yml",
    ".woodpecker/build.yml",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".buildkite/pipeline.yml",
    "appveyor.yml",
    ".appveyor.yml",
    ".cirrus.yml",
    "cloudbuild.yaml",
    "buildspec.yml",
    ".semaphore/semaphore.yml",
    ".teamcity/settings.kts",
    ".gitlab/agents/a/config.yaml",
    ".taskcluster.yml",
    ".build.yml",
    ".builds/a.yml",
    ".cursorrules",
    ".windsurf/rules/a.md",
    ".windsurfrules",
    ".clinerules",
    ".clinerules/a.md",
    ".opencode/agent/a.md",
    "opencode.json",
    "part/opencode.jsonc",
    ".roo/rules/a.md",
    ".roorules",
    ".kiro/steering/a.md",
    ".aider.conf.yml",
    ".aiderignore",
    ".continue/config.yaml",
    ".zed/tasks.json",
    ".claude.json",
    ".amp/settings.json",
    "AGENT.md",
    "QWEN.md",
    "WARP.md",
    ".rules",
    ".junie/guidelines.md",
    ".goosehints",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    ".idea/workspace.xml",
    ".gitmodules",
    "src/.gitattributes",
    ".githooks/pre-commit",
    ".pnpmfile.cjs",
    "skillward.yml",
    ".envrc",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".config/fish/config.fish",
    ".Config/Fish/conf.d/a.fish",
    ".ssh/authorized_keys",
    ".gitconfig",
    ".config/git/attributes",
    ".netrc",
    ".gnupg/gpg.conf",
    ".aws/credentials",
    ".kube/cache/a",
    ".docker/config.json",
    ".local/bin/ls",
    ".config/systemd/user/a.service",
    ".config/autostart/a.desktop",
    "HEAD",
    "part/head",
    "part/commondir",
    "part/gitdir",
    "part/config",
    "part/config.worktree",
  ])("T33: %j is", (path) => {
    expect(isProtected(home, path)).toBe(true);
    expect(wordOnWriting(home)({ tool: "write", paths: ["src/a.ts", path] })).toBe("ask-always");
  });

  it.each([
    "src/a.ts",
    "SKILL.md",
    ".agents/skills/a/SKILL.md",
    ".claude/skills/a/SKILL.md",
    ".gitignore",
    "docs/github/a.md",
    "environment.md",
    "src/agents.ts",
    "a.git/x",
    "...",
    "größe/日本.md",
    ".tool-versions",
    "Makefile",
    "src/config/a.ts",
    "src/config.ts",
    "head/a.ts",
    "src/hooks/use-a.ts",
    "objects/a",
    ".config/app/a.json",
    ".local/share/app/a",
    "fish/config.fish",
    "docs/rules/a.md",
    "build.yml",
  ])("%j is not", (path) => {
    expect(isProtected(home, path)).toBe(false);
    expect(wordOnWriting(home)({ tool: "write", paths: [path] })).toBe("allow");
  });
});

describe("AG-7: the repository of a workspace whose .git is no folder", () => {
  it.each([
    ["meta", "meta/info/attributes", true],
    ["meta", "Meta/a", true],
    ["meta", "meta", true],
    ["meta", "metadata/a", false],
    ["part/meta", "part/a", false],
    [".", "src/a.ts", true],
  ])("T33: below %j, of %j: %j", (gitFolder, path, is) => {
    expect(isProtected({ ...home, gitFolder }, path)).toBe(is);
    expect(wordOnWriting({ ...home, gitFolder })({ tool: "write", paths: [path] })).toBe(is ? "ask-always" : "allow");
  });
});

describe("AG-7: what is Skillward's own is not reached, whoever says yes", () => {
  const places = { root: "/home/a", kept: ["/home/a/.config/skillward", "/srv/keys.json"] };

  it.each([
    ".config/skillward",
    ".config/skillward/trust/0",
    ".config/../.config/skillward/keys.json",
    ".CONFIG/Skillward/trust/0",
    ".config/skillward./trust/0",
    ".config/skill\u200dward/trust/0",
    "/home/a/.config/skillward/trust",
    "/srv/keys.json",
    "../../srv/keys.json",
  ])("T33: %j is", (path) => {
    expect(isKept(places, path)).toBe(true);
    expect(wordOnReading(places)({ tool: "read", paths: ["a", path] })).toBe("deny");
    expect(wordOnWriting(places)({ tool: "write", paths: ["a", path] })).toBe("deny");
  });

  it.each([".", ".config", ".config/skillward2/a", "skillward/trust/0", "srv/keys.json", ""])("%j is not", (path) => {
    expect(isKept(places, path)).toBe(false);
    expect(wordOnReading(places)({ tool: "read", paths: [path] })).toBe("allow");
  });

  it("is said of no call that names no path", () => {
    expect([wordOnReading(places)({ tool: "list" }), wordOnWriting(places)({ tool: "patch" })]).toEqual([
      "allow",
      "allow",
    ]);
  });
});
