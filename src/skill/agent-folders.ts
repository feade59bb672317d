/** Agents whose own folders are known. */
export const agentNames = ["claude", "codex", "copilot", "cursor", "gemini", "opencode", "windsurf"] as const;
export type AgentName = (typeof agentNames)[number];

/** Below a repository, or below the folder of a person. */
export const agentScopes = ["project", "user"] as const;
export type AgentScope = (typeof agentScopes)[number];

/** Where each looks for skills, as its documentation says (November 2026). A folder that is not here is never written to. */
export const agentFolders: Readonly<Record<AgentName, Readonly<Record<AgentScope, string>>>> = {
  claude: { project: ".claude/skills", user: ".claude/skills" },
  codex: { project: ".agents/skills", user: ".agents/skills" },
  copilot: { project: ".github/skills", user: ".copilot/skills" },
  cursor: { project: ".cursor/skills", user: ".cursor/skills" },
  gemini: { project: ".gemini/skills", user: ".gemini/skills" },
  opencode: { project: ".opencode/skills", user: ".config/opencode/skills" },
  windsurf: { project: ".windsurf/skills", user: ".codeium/windsurf/skills" },
};

/** Where skills from elsewhere lie, below the root of a workspace; a folder that several agents share. */
export const skillsFolder = ".agents/skills";

/** The root itself: skills for nobody in particular. */
export const plainFolder = ".";

const known: ReadonlySet<string> = new Set([
  plainFolder,
  ...Object.values(agentFolders).flatMap(({ project, user }) => [project, user]),
]);

/** T44: a lock file comes with a clone. It names no folder but these. */
export function isSkillsFolder(folder: string): boolean {
  return known.has(folder);
}
