import { configKeys } from "./config-keys.ts";

/** Words that would give a workspace power over the one who opened it, and where each belongs instead (T44). */
const refusals: readonly { readonly words: readonly string[]; readonly home: string }[] = [
  {
    words: configKeys.flatMap(({ path }) => path.split(".")[0] ?? []),
    home: "it belongs to your own configuration file",
  },
  {
    words: ["config", "data", "database", "checkpoints", "spool"],
    home: "it belongs to the options `--config` and `--data`, or to your own environment",
  },
  {
    words: ["keys", "key_file", "signing", "public_keys", "trusted_keys"],
    home: "keys are in your own key file (SKILLWARD_KEYS) and nowhere else",
  },
  {
    words: [
      "trust",
      "on_change",
      "approve",
      "approvals",
      "approve_on_add",
      "decisions",
      "overrides",
      "blocks",
      "sources",
    ],
    home: "it takes a person's word in the registry: `skillward source`, `skillward review`, `skillward block`",
  },
  {
    words: [
      "hosts",
      "github",
      "network",
      "private",
      "egress",
      "proxy",
      "origins",
      "urls",
      "server",
      "listen",
      "port",
      "log_prompts",
    ],
    home: "where to connect, and what is told to whom, is for the admin of the server to say",
  },
  {
    words: ["providers", "endpoints", "secrets", "tokens", "credentials", "passwords", "api_keys", "models"],
    home: "it belongs to a provider, which an admin sets with `skillward provider`",
  },
  {
    words: ["users", "accounts", "roles", "admins", "reviewers"],
    home: "an admin sets it with `skillward user`",
  },
  {
    words: ["configurations", "tasks", "attachments", "placement", "system_floor", "floors", "route_floor"],
    home: "it belongs to a configuration on the server: `skillward config`",
  },
  {
    words: ["commands", "hooks", "scripts", "plugins", "mcp_servers", "executor", "env", "environment"],
    home: "nothing that a workspace names is run; the host that runs the agent decides what it starts",
  },
  {
    words: ["contracts", "allow_contracts"],
    home: "contracts are for the host to opt in to, for each load",
  },
  {
    words: ["allowed_tools", "allow", "grants", "permissions"],
    home: "a workspace can forbid tools (`scope.forbidden_tools`), never allow one",
  },
];

const homes: ReadonlyMap<string, string> = new Map(
  refusals.flatMap(({ words, home }) => words.map((word) => [plain(word), home] as const)),
);

/** Where a refused word belongs; undefined when it is not one of them. */
export function homeOf(word: string): string | undefined {
  return homes.get(plain(word.split(".")[0] ?? ""));
}

/** The same word in another case, in the other number, with other hyphens or with a path behind it is the same word. */
function plain(word: string): string {
  return word.trim().toLowerCase().replaceAll(/[-_ ]/g, "").replace(/s$/, "");
}
