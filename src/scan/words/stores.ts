import { any, seen, where } from "../matchers.ts";
import type { Hit, Matcher } from "../rule.ts";
import type { ScanText } from "../text.ts";

/** A place on somebody's machine where credentials lie. */
export interface Store {
  /** As it is shown. */
  readonly name: string;
  /** What names it, in lower case: the source of a pattern. */
  readonly path: string;
  /** One of these words is in every text that names it. */
  readonly words: readonly string[];
}

const r = String.raw;

/** Between a folder and a file: also where a program puts a path together from its parts. */
const apart = r`["'\s,\/\\]{1,6}`;

function store(name: string, path: string, ...words: readonly string[]): Store {
  return { name, path, words };
}

/** Keys and sessions themselves: only the program that made them has business there. */
export const keyStores: readonly Store[] = [
  store(
    "~/.ssh",
    r`\.ssh(?:${apart}(?:id_(?:rsa|dsa|ecdsa|ed25519|\*)(?!\.pub)|\*|[a-z0-9_*.-]{1,40}\.pem)|\/?(?=["'\s\x60)])(?!["'\s]{0,3}[\/,]))`,
    "ssh",
  ),
  store(
    "~/.gnupg",
    r`\.gnupg[\/\\](?:private-keys|secring|pubring|trustdb|\*)|gpg\s{1,3}--export-secret-keys?`,
    "gnupg",
    "gpg",
  ),
  store("/etc/shadow", r`\/etc\/(?:shadow|gshadow|master\.passwd)\b`, "shadow", "gshadow", "master"),
  store(
    "browser profile",
    r`\blogin\sdata\b(?!base)|\bcookies\.sqlite|\blogins\.json|\bkey4\.db|(?:chrome|chromium|edge|brave(?:-browser)?|firefox|opera|vivaldi|default|profile\s\d|user\sdata|\*)[\/\\]{1,2}(?:network[\/\\]{1,2})?(?:cookies|web\sdata|local\sstate)\b|chrome\ssafe\sstorage`,
    "login",
    "cookies",
    "logins",
    "key4",
    "data",
    "state",
    "storage",
  ),
  store("Bitcoin wallet", r`\bwallet\.dat\b|\.bitcoin[\/\\]|electrum[\/\\]wallets`, "wallet", "bitcoin", "electrum"),
  store("Ethereum wallet", r`\.ethereum[\/\\](?:keystore|geth)`, "ethereum"),
  store("Solana wallet", r`\.config\/solana\/(?:id\.json|\*)`, "solana"),
  store(
    "desktop wallet",
    r`\bexodus\.wallet|\.bitmonero|atomic[\/\\]local\sstorage|ledger\slive[\/\\]`,
    "exodus",
    "bitmonero",
    "atomic",
    "ledger",
  ),
  store(
    "browser wallet",
    r`\bnkbihfbeogaeaoehlefnkodbefgpgknn|\bbfnaelmomeimhlpmgjnjophhpkkoljpa|local\sextension\ssettings`,
    "nkbihfbeogaeaoehlefnkodbefgpgknn",
    "bfnaelmomeimhlpmgjnjophhpkkoljpa",
    "extension",
  ),
  store("keychain dump", r`\bdump-keychain\b`, "keychain"),
  store("password database", r`\.password-store\b|\.kdbx\b`, "store", "kdbx"),
  store(
    "messenger session",
    r`telegram\sdesktop[\/\\]{1,2}tdata|(?:discord|discordcanary|discordptb|slack|signal|teams|element)${apart}(?:local\sstorage|storage\b|cookies\b|indexeddb|root-state\.json)|xox(?:[bpcdsar]|\[[a-z-]{1,8}\])-[\[\\0-9a-z]`,
    "tdata",
    "leveldb",
    "storage",
    "cookies",
    "indexeddb",
    "state",
    ...Array.from("bpcdsar", (kind) => `xox${kind}`),
    "xox",
  ),
];

/** Credentials that tools keep for themselves. */
export const toolStores: readonly Store[] = [
  store("~/.aws/credentials", r`\.aws(?:${apart}(?:credentials|\*)|\/?(?=["'\s\x60)])(?!["'\s]{0,3}[\/,]))`, "aws"),
  store(
    "~/.config/gcloud",
    r`application_default_credentials|gcloud[\/\\](?:credentials|access_tokens|legacy_credentials)`,
    "application",
    "gcloud",
  ),
  store("~/.azure", r`\.azure[\/\\](?:accesstokens|msal_token_cache|azureprofile|service_principal)`, "azure"),
  store(
    "~/.kube/config",
    r`\.kube(?:${apart}(?:config|\*)|\/?(?=["'\s\x60)])(?!["'\s]{0,3}[\/,]))|\/etc\/kubernetes\/admin\.conf|\/etc\/rancher\/k3s\/k3s\.yaml`,
    "kube",
    "kubernetes",
    "k3s",
  ),
  store("service account token", r`\/secrets\/kubernetes\.io\/serviceaccount`, "serviceaccount"),
  store("~/.docker/config.json", r`\.docker${apart}config\.json`, "docker"),
  store("~/.npmrc", r`\.npmrc`, "npmrc"),
  store("~/.pypirc", r`\.pypirc`, "pypirc"),
  store("~/.netrc", r`[._]netrc`, "netrc"),
  store("~/.git-credentials", r`\.git-credentials`, "credentials"),
  store("~/.config/gh/hosts.yml", r`\bgh${apart}hosts\.ya?ml`, "gh"),
  store("~/.terraform.d", r`credentials\.tfrc\.json|\.terraformrc`, "tfrc", "terraformrc"),
  store(
    "shell history",
    r`\.(?:bash|zsh|python|mysql|psql|node_repl|sqlite)_history|consolehost_history\.txt|fish_history`,
    "history",
  ),
  store(
    "keychain",
    r`\blogin\.keychain|library\/keychains|\bfind-(?:generic|internet)-password|\bsecret-tool\s(?:lookup|search)|\bvaultcmd\b|\bcmdkey\s\/list`,
    "keychain",
    "keychains",
    "find",
    "secret",
    "vaultcmd",
    "cmdkey",
  ),
  store(
    "agent's credentials",
    r`\.claude[\/\\](?:\.credentials|\.env)|\.codex[\/\\]auth\.json|\.cursor[\/\\]mcp\.json|\.gemini[\/\\]oauth_creds`,
    "claude",
    "codex",
    "cursor",
    "gemini",
  ),
];

export const stores: readonly Store[] = [...keyStores, ...toolStores];

/** A file with a project's settings, which often are secrets. Programs read their own all the time. */
export const dotenv: Store = store(
  ".env",
  r`(?<![\w)\]}])\.env(?:\.(?:local|production|prod|development|dev|staging|\*)|\*)?(?![\w.-])`,
  "env",
);

/** Commands and calls that hand out a credential in plain text, by the vendor at whose hosts it is used. */
export const printers: readonly (Pick<Store, "path" | "words"> & { readonly vendor: readonly string[] })[] = [
  {
    path: r`\baws\sconfigure\s(?:export-credentials|get\s\S{0,40}(?:secret|key|token))|\baws\s(?:sts\s(?:get-session-token|assume-role)|iam\screate-access-key|secretsmanager\sget-secret-value|ssm\sget-parameters?)\b|\bget_frozen_credentials\(|\.get_credentials\(\)|\bfromnodeproviderchain\(|\bdefaultprovider\(\)|\baws::credentials\b`,
    words: ["aws", "credentials", "fromnodeproviderchain", "defaultprovider"],
    vendor: ["amazon", "aws"],
  },
  {
    path: r`\bgcloud\sauth\s(?:application-default\s)?print-(?:access|identity)-token|\bgcloud\s(?:iam\sservice-accounts\skeys\screate|secrets\sversions\saccess)\b`,
    words: ["gcloud"],
    vendor: ["google", "run.app", "gcr.io", "pkg.dev"],
  },
  {
    path: r`\baz\saccount\sget-access-token\b|\bget-azaccesstoken\b|\baz\s(?:ad\ssp\screate-for-rbac|keyvault\ssecret\sshow)\b`,
    words: ["az", "azaccesstoken"],
    vendor: ["azure", "microsoft", "windows", "visualstudio"],
  },
  { path: r`\bgh\sauth\s(?:token|status\s[^\n]{0,20}(?:-t\b|--show-token))`, words: ["gh"], vendor: ["github"] },
  {
    path: r`\bkubectl\s[^\n]{0,80}config\sview\b[^\n]{0,60}--raw|\bkubectl\screate\stoken\b`,
    words: ["kubectl"],
    vendor: [],
  },
  {
    path: r`\bkubectl\s[^\n]{0,40}get\ssecrets?\b[^\n]{0,80}(?:-a\b|--all-namespaces|-o\s?(?:json|yaml)\b)`,
    words: ["kubectl"],
    vendor: [],
  },
  {
    path: r`\bgit\scredential(?:-\w{2,12})?\s(?:fill|get)\b|\bdocker-credential-\w{2,20}\sget\b|\bnpm\stoken\slist\b|\bheroku\sauth:token\b|\bvault\s(?:token\slookup|kv\sget|print\stoken)\b|\bop\s(?:item|document)\s(?:get|list)\b|\bbw\s(?:export|list\sitems)\b|\bpass\sshow\b|\bdoppler\ssecrets\sdownload\b|\binfisical\sexport\b|\bterraform\s(?:output\s-json|state\spull)\b|\bssh-add\s-l\b|\bgpg\s[^\n]{0,40}--export-secret`,
    words: ["credential", "npm", "heroku", "vault", "op", "bw", "pass", "doppler", "infisical", "terraform", "gpg"],
    vendor: [],
  },
];

/** Not secret by itself; sent away, it is the first thing that an intruder asks for. */
export const accounts: Store = store("/etc/passwd", r`\/etc\/passwd\b`, "passwd");

const readers = r`cat|head|tail|less|more|grep|awk|sed|cut|cp|mv|tar|zip|7z|base64|xxd|strings(?!\s?:)|type|get-content|gc|copy-item|jq|sqlite3|open|read_text|read_bytes|readfile|readfilesync|path\.home|expanduser|homedir|uploadfile|scp|rsync|--post-file|--upload-file|createreadstream|readalltext|file_get_contents|file\.read|slurp|glob|iterdir|readdirsync|readdir|listdir|copytree|copyfile|file\.join|filepath\.join|path\.join|read|reads|reading|extract|extracts|collect|collects|gather|gathers|copy|dump|harvest|steal|include|upload|parse|load|fetch|security`;

/** Places where one of these is read: by a command, by a program, or because a sentence says so. */
export function readsOf(chosen: readonly Store[]): Matcher {
  const reads = any(
    ...chosen.map(({ path, words }) =>
      seen(
        new RegExp(
          r`(?:(?:\b|(?=--))(?:${readers})\b[^\n|;]{0,80}|@~?\/?|<\s?~\/)(?<!\s-i\s["'~$\w{}\/]{0,24})(?:${path})`,
        ),
        ...words,
      ),
    ),
  );
  return where(reads, (text, hit) => !isPublic(text, hit) && !isRefused(text, hit));
}

/** The other half of a key, which is made to be handed out: `id_ed25519_shop.pub`. */
function isPublic({ lower }: ScanText, { end }: Hit): boolean {
  return /^[\w-]{1,40}\.pub\b/.test(lower.slice(end, end + 48));
}

/** "never read", "no `~/.ssh`": told not to, in the words just before; or an entry of what a tool may not touch. */
function isRefused({ lower }: ScanText, { start, end }: Hit): boolean {
  return (
    /["']?(?:deny|denied|blocked|forbidden|disallow(?:ed)?|exclude)["']?\s{0,2}[:=]\s{0,2}\[[^\]]{0,400}$/.test(
      lower.slice(Math.max(0, start - 440), start),
    ) ||
    /(?:^|\n)[^\n]{0,40}\b(?:deny|denied|block(?:ed|s)?|forbid(?:den)?|never|disallow(?:ed)?|off-limits)[\s*_]{0,4}:[^\n]{0,240}$/.test(
      lower.slice(Math.max(0, start - 300), start),
    ) ||
    /\b(?:\w{0,8}stealers?|malware|attackers?|intruders?|thie(?:f|ves)|adversar(?:y|ies)|trojans?|worms?|criminals?|they|it|that|which|who)\s(?:\w{1,12}\s){0,2}$/.test(
      lower.slice(Math.max(0, start - 50), start),
    ) ||
    /(?:\b(?:never|not|cannot|without|no)|n't)\s{1,3}$/.test(lower.slice(Math.max(0, start - 12), start)) ||
    /\b(?:no|not|never|except|excluding)\s["'\x60]?[~/.a-z0-9_-]{0,40}$/.test(lower.slice(start, end))
  );
}

function isCode(text: ScanText, { start }: Hit): boolean {
  return (
    text.regionAt(start) === "fence" || /[={};,[(\]]\s{0,4}$|\$\(|\)\s{0,2}[;{]/.test(text.lineAround(start, 160).text)
  );
}

/** Where code names one of them, whatever is done with it: not as the key of a connection, and not to write it. */
export function heldIn(chosen: readonly Store[]): Matcher {
  const held = any(...chosen.map(({ path, words }) => seen(new RegExp(r`["'~\/\\$\s=(@*.^](?:${path})`), ...words)));
  return where(held, (text, hit) => {
    if (!isCode(text, hit) || isRefused(text, hit)) return false;
    const before = text.lower.slice(Math.max(0, hit.start - 60), hit.end);
    return !/(?:\s-[if]\s|identity_?file|>\s?|chmod\s[^\n]{0,12}|mkdir\s[^\n]{0,12}|ssh-keygen[^\n]{0,40}|ssh-add\s[^\n]{0,12}|known_hosts[^\n]{0,20})["']?[~$\w{}/.\\]{0,40}$/.test(
      before,
    );
  });
}

/** Where it is named, whatever is done with it. */
export function namesOf({ path, words }: Store): Matcher {
  return seen(new RegExp(path), ...words);
}
