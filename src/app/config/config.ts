/** What the environment says. The only reader of `process.env`; a variable that is set to nothing says nothing. */
export interface Environment {
  /** `NO_COLOR` wins over `FORCE_COLOR`; without either the terminal decides. */
  readonly colour: "never" | "always" | "auto";
  readonly debug: boolean;
  /** `TERM` is `dumb`: what it runs at can do nothing but print. */
  readonly isDumb: boolean;
  /** `SKILLWARD_CONFIG`, `SKILLWARD_DATA`, `SKILLWARD_KEYS`, `SKILLWARD_STORE`: as they stand, not yet checked. */
  readonly config: string | null;
  readonly data: string | null;
  readonly keys: string | null;
  readonly store: string | null;
  /** `SKILLWARD_API_KEY`. A secret: never shown. */
  readonly apiKey: string | null;
  /** `SKILLWARD_OIDC_SECRET`, `SKILLWARD_WEBHOOK_SECRET`. Secrets too. */
  readonly oidcSecret: string | null;
  readonly webhookSecret: string | null;
  /** `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `HOME`. */
  readonly configHome: string | null;
  readonly dataHome: string | null;
  readonly home: string | null;
  /** Who is at the machine: `USER`, else `LOGNAME`. */
  readonly account: string | null;
  /** Variables that are meant for Skillward and that it does not know: a typo must not be silent. */
  readonly unknown: readonly string[];
  /** A variable that a person named, such as for a token (IN-6). Null: not set, or no name of a variable. */
  readonly variable: (name: string) => string | null;
}

/** Every variable of our own. The reader knows them by this table, and so does the documentation. */
export const variables = {
  SKILLWARD_CONFIG: "The configuration file, as an absolute path. `--config` wins over it.",
  SKILLWARD_DATA: "The data folder, as an absolute path. `--data` wins over it.",
  SKILLWARD_KEYS: "The key file, as an absolute path.",
  SKILLWARD_STORE: "The store: `postgres://…`, or the absolute path of a SQLite file. Wins over `store` in the file.",
  SKILLWARD_API_KEY: "Act as the holder of this API key instead of as the account at the machine.",
  SKILLWARD_OIDC_SECRET:
    "What this server proves itself with at the service of `sign-in.oidc`; not set: with PKCE alone.",
  SKILLWARD_WEBHOOK_SECRET: "What messages to `webhook.url` are signed with. Without it none are sent.",
  SKILLWARD_DEBUG: "Set to anything: show where an unexpected error came from.",
} as const;

type Variables = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return parseEnvironment(process.env);
}

export function parseEnvironment(set: Variables): Environment {
  const text = (name: string) => set[name] || null;
  return {
    colour: colourOf(set),
    debug: text("SKILLWARD_DEBUG") !== null,
    isDumb: set["TERM"] === "dumb",
    config: text("SKILLWARD_CONFIG"),
    data: text("SKILLWARD_DATA"),
    keys: text("SKILLWARD_KEYS"),
    store: text("SKILLWARD_STORE"),
    apiKey: text("SKILLWARD_API_KEY"),
    oidcSecret: text("SKILLWARD_OIDC_SECRET"),
    webhookSecret: text("SKILLWARD_WEBHOOK_SECRET"),
    configHome: text("XDG_CONFIG_HOME"),
    dataHome: text("XDG_DATA_HOME"),
    home: text("HOME"),
    account: text("USER") ?? text("LOGNAME"),
    unknown: unknownOf(set),
    variable: (name) => (isVariableName(name) && Object.hasOwn(set, name) ? text(name) : null),
  };
}

/** Which of our variables a program that we start gets (AG-7). A list of names: whatever else is set may be a secret. */
const harmless = [
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TMPDIR",
  "TZ",
  // By name: people carry other things through connections as `LC_…`, since servers let those in.
  ...["ALL", "COLLATE", "CTYPE", "MESSAGES", "MONETARY", "NUMERIC", "TIME"].map((category) => `LC_${category}`),
];

/**
 * How git behaves below us. A repository is found by its `.git` or named, since any folder of a workspace can be laid
 * out as one; and no program is run to learn what changed (T44). This wins over what a repository says.
 */
const carefulGit = Object.entries({ "safe.bareRepository": "explicit", "core.fsmonitor": "false" });

const gitVariables: Readonly<Record<string, string>> = Object.fromEntries([
  ["GIT_CONFIG_COUNT", String(carefulGit.length)],
  ...carefulGit.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]),
]);

/** The whole environment of a program that we start. */
export function childEnvironment(set: Variables = process.env): Readonly<Record<string, string>> {
  const given = harmless.map((name) => [name, set[name] ?? ""] as const).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(given), ...gitVariables, PATH: searchedFolders(set["PATH"] ?? "") };
}

/** Without the folders that depend on where one stands: a program must not be found in the workspace (T44). */
function searchedFolders(path: string): string {
  const absolute = path.split(":").filter((folder) => folder.startsWith("/"));
  // Never empty: that would mean the folder one stands in.
  return absolute.join(":") || "/usr/local/bin:/usr/bin:/bin";
}

function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function colourOf(set: Variables): Environment["colour"] {
  const isSet = (name: string) => (set[name] ?? "") !== "";
  if (isSet("NO_COLOR") || set["TERM"] === "dumb") return "never";
  return isSet("FORCE_COLOR") && set["FORCE_COLOR"] !== "0" ? "always" : "auto";
}

function unknownOf(set: Variables): string[] {
  const ours = Object.keys(set).filter((name) => name.startsWith("SKILLWARD_") && set[name] !== "");
  return ours.filter((name) => !Object.hasOwn(variables, name)).toSorted();
}
