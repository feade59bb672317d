import { any, seen, several } from "../matchers.ts";

/** Commands and calls that hand over every variable of the environment at once. */
export const environmentDumps = any(
  seen(
    /(?:^|[\n`;&|(]|\$\()\s{0,4}(?:env|printenv|export\s-p|declare\s-x)[ \t]{0,3}(?:\|(?!\|)|>{1,2}|\))/,
    "env",
    "printenv",
    "export",
    "declare",
  ),
  several(
    ["environ"],
    /\bdict\(os\.environ\)|\bstr\(os\.environ\)|\bos\.environ\.items\(\)|\{\s?\*\*os\.environ\s?\}/,
    /\bjson\.dumps\([^\n]{0,60}os\.environ\b(?!\[|\.get)/,
    /\/proc\/(?:self|\d{1,7}|\*|\$\w{1,20})\/environ\b/,
  ),
  several(
    ["env"],
    /\bjson\.stringify\([^\n]{0,60}\bprocess\.env\b(?![.[])/,
    /\bobject\.(?:entries|fromentries|assign)\([^\n]{0,30}\bprocess\.env\b(?![.[])/,
    /\benv["']?:\s?process\.env\s{0,2}\}/,
    /\b(?:get-childitem|gci|dir|ls)\senv:|\benv\.(?:to_h|to_a|select|filter|map|each|sort|inspect|to_json)\b/,
    /\bobject\.(?:keys|values)\(\s?process\.env\s?\)|\bin\sprocess\.env\s?\)|\$_env\b(?!\[)/,
  ),
  seen(
    /\bgetenvironmentvariables\(\)|\b(?:system\.)?getenv\(\)|\bos\.environ\(\)|\benv::vars\(\)/,
    "getenvironmentvariables",
    "getenv",
    "environ",
    "vars",
  ),
);

/** Copies of it: what a program hands on to another one that it starts. */
export const environmentCopies = several(
  ["environ", "env"],
  /=\s{0,3}os\.environ(?:\.copy\(\))?\s{0,3}\n/,
  /\{\s?\.{3}process\.env\b/,
);

/**
 * Whose key a variable holds, by the beginning of its name, and words of which one is in the vendor's own hosts. Only
 * vendors whose hosts bear a name that everybody knows: a key of somebody else may go anywhere.
 */
const hostsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["anthropic", ["anthropic", "claude"]],
  ["aws", ["aws", "amazon"]],
  ["azure", ["azure", "microsoft", "windows", "openai"]],
  ["cloudflare", ["cloudflare"]],
  ["datadog", ["datadog", "ddog"]],
  ["digitalocean", ["digitalocean"]],
  ["discord", ["discord"]],
  ["docker", ["docker"]],
  ["gcp", ["google", "gcp", "gcr"]],
  ["gemini", ["google"]],
  ["gh", ["github"]],
  ["github", ["github"]],
  ["gitlab", ["gitlab"]],
  ["google", ["google", "gcp"]],
  ["heroku", ["heroku"]],
  ["huggingface", ["huggingface", "hf"]],
  ["hf", ["huggingface", "hf"]],
  ["mailgun", ["mailgun"]],
  ["npm", ["npm"]],
  ["openai", ["openai", "azure"]],
  ["pypi", ["pypi"]],
  ["sendgrid", ["sendgrid", "twilio"]],
  ["slack", ["slack"]],
  ["stripe", ["stripe"]],
  ["telegram", ["telegram"]],
  ["twilio", ["twilio"]],
  ["vercel", ["vercel"]],
]);

/** Secrets that prove who somebody is to himself: no address on the internet needs them. */
const ownSecret =
  /^(?:jwt|session|cookie|signing|encryption|master|ssh|gpg|private|wallet|deployer|root|sudo)_|(?:^|_)(?:private_key|mnemonic|seed_phrase)$|^(?:database|db|postgres|mysql|mongo(?:db)?|redis)_(?:url|uri|password|pass)$/;

/** The names of variables that hold a secret, by their ends. */
export const secretName = String.raw`[a-z][a-z0-9_]{0,40}_(?:key|api_key|token|secret|password|passwd|pass|pat|private_key|access_key|access_key_id|credentials?|mnemonic|url|uri)`;

/** Whether a secret variable has no business at any of these hosts. */
export function isForeign(variable: string, hosts: readonly string[]): boolean {
  const remote = hosts.filter((host) => !/^(?:localhost|127\.|0\.0\.0\.0|\[?::1)/.test(host));
  if (remote.length === 0) return false;
  if (ownSecret.test(variable)) return true;
  const words = hostsOf.get(variable.split("_", 1)[0] ?? "");
  return words !== undefined && !remote.some((host) => isOfVendor(host, words));
}

/**
 * Whether a host is under a vendor's own domain. The word must be in the part of the name that somebody registered:
 * `vendor-tools.stranger.net` and `vendor-tools.net` are anybody's. A forge that people run themselves bears its name in front.
 */
export function isOfVendor(host: string, words: readonly string[]): boolean {
  const labels = host.split(".").slice(-4);
  const last = labels.at(-2) ?? "";
  const owner = /^(?:com?|org|net|gov|edu|ac)$/.test(last) ? (labels.at(-3) ?? "") : last;
  return words.some((word) => {
    if (word.includes(".")) return host === word || host.endsWith(`.${word}`);
    return (owner.includes(word) && !owner.includes("-")) || (word === "gitlab" && labels.includes(word));
  });
}
