/** Sources of patterns, in lower case: files that agents read by themselves, at the start of each session. */
export const memoryFiles =
  "(?:claude|agents|memory|soul|gemini|identity|heartbeat|bootstrap|copilot-instructions|qwen|crush|warp)(?:\\.local)?\\.md|\\.cursorrules|\\.windsurfrules|\\.clinerules|\\.roorules|\\.goosehints|\\.cursor\\/rules|\\.claude\\/(?:instructions|rules|commands|agents|skills)|\\.github\\/instructions|\\.windsurf\\/rules|\\.junie\\/guidelines";

/** Files with the rights, hooks and servers of agents. */
export const settingsFiles =
  "\\.claude\\/settings(?:\\.local)?\\.json|\\.claude\\.json|\\.claude\\/hooks|\\.?mcp(?:_config|-config|_settings)?\\.json|claude_desktop_config\\.json|\\.codex\\/config\\.toml|\\.cursor\\/(?:mcp|settings|hooks)\\.json|\\.vscode\\/(?:settings|tasks|mcp)\\.json|\\.gemini\\/settings\\.json|\\.config\\/opencode|opencode\\.json|managed-settings\\.json|exec-approvals\\.json|\\.continue\\/config";

/** Words of which one is in every text that names one of these files. */
export const memoryWords = [
  "md",
  "cursorrules",
  "windsurfrules",
  "clinerules",
  "roorules",
  "goosehints",
  "cursor",
  "claude",
  "github",
  "windsurf",
  "junie",
] as const;
export const settingsWords = [
  "claude",
  "json",
  "mcp",
  "codex",
  "cursor",
  "vscode",
  "gemini",
  "opencode",
  "continue",
] as const;
