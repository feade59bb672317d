import { any, seen, several } from "../matchers.ts";

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

/** Places from which a program is started again and again. */
export const schedules = any(
  seen(
    /\bcrontab\b|\/etc\/cron\.|\/var\/spool\/cron|(?<=\n)@(?:reboot|hourly|daily) |(?:^|\n)(?:\*|\*\/\d{1,2}|\d{1,2}) (?:\*|\d{1,2}|\*\/\d{1,2}) \* \* (?:\*|\d)/,
    "crontab",
    "cron",
    "reboot",
    "hourly",
    "daily",
  ),
  seen(
    /\blaunch(?:agents|daemons)\b|\blaunchctl (?:load|bootstrap|enable)\b/,
    "launchagents",
    "launchdaemons",
    "launchctl",
  ),
  seen(/\/etc\/systemd\/system\/|\.config\/systemd\/user|\bsystemctl (?:--user )?enable\b/, "systemd", "systemctl"),
  seen(/\bschtasks\b[^\n]{0,20}\/create|\bregister-scheduledtask\b|\bnew-scheduledtask\b/, "schtasks", "scheduledtask"),
  seen(/\.config\/autostart\/|\bstart menu\\{1,2}programs\\{1,2}startup\b|\bshell:startup\b/, "autostart", "startup"),
);

/** What nobody starts who has nothing to hide: code that is fetched or decoded at that moment, programs in hidden places. */
export const unseenPrograms = several(
  [],
  /\b(?:curl|wget|iwr|irm|invoke-webrequest)\b[^\n]{0,160}\|\s{0,3}(?:sudo\s)?(?:ba|z|da)?sh\b/,
  /\bbase64\s(?:-d|--decode)\b|\/dev\/tcp\/|\bnc\s-e\b|\b(?:ba|z)?sh\s<\(curl\b|\biex\b/,
  /\bpowershell\b[^\n]{0,60}-(?:enc|w(?:indowstyle)?\shidden)/,
  /(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\.[a-z0-9]|%temp%\\[\w.-]{1,30}\.(?:exe|vbs|bat|ps1)/,
  /(?:~|\$home|%appdata%|\$env:(?:temp|appdata))[/\\][\w/\\-]{0,40}\.[a-z0-9_-]{2,30}[/\\][\w-]{1,40}\.(?:sh|py|js|exe|ps1|vbs|bat)\b/,
);
