import { any, followedBy, seen, several, where } from "../matchers.ts";
import type { Hit, Matcher } from "../rule.ts";
import type { ScanText } from "../text.ts";
import { type Address, addressesIn, isUnaccountable } from "./addresses.ts";
import { flows } from "./flows.ts";

/** Programs that run a script which they are given on their input. */
const shells = String.raw`(?:sudo (?:-[a-z]{1,3} )?)?(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:env )?(?:(?:(?:ba|z|da|k|a|fi|c|tc)?sh|iex|invoke-expression|powershell|pwsh|cmd|osascript|xargs\b[^\n|]{0,20}\b(?:ba|z)?sh)(?![\w.:/=])|(?:python[23]?|node|deno|bun|perl|ruby|php)(?=[ \t]{0,2}-?[ \t]{0,2}(?:["'\x60)&;|\n]|$)))`;
const shellWords =
  "sh bash zsh dash ksh ash fish csh tcsh iex invoke powershell pwsh cmd osascript xargs python python2 python3 node deno bun perl ruby php".split(
    " ",
  );

/** What follows a pipe, when that runs what comes through it. */
export const intoShell = seen(new RegExp(String.raw`\\?\|\s{0,6}${shells}`), ...shellWords);

const fetchWords = ["curl", "wget", "aria2c", "iwr", "irm", "invoke"];
const fetcher = String.raw`(?:curl|wget|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod)`;
const fetches = seen(new RegExp(String.raw`\b${fetcher}\b(?:[^\n|;\\]|\\[^|;]){0,300}`), ...fetchWords);

/** `curl … | sh`, also through one more program. */
const piped = followedBy(fetches, intoShell, 60);

/** Whatever the program is called that opens the address: `lynx -source https://… | sh`, `$c https://… | sh`. */
const addressPiped = seen(
  /\bhttps?:\/\/[^\s|]{3,200}[^\n|;]{0,80}\|\s?(?:sudo\s)?(?:ba|z|da|k)?sh(?=[ \t]{0,2}(?:$|[\n;&)"'\x60]|-))/,
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
);

/** `bash -c "$(curl …)"`, `eval "$(curl …)"`, `source <(curl …)`. */
const substituted = toLineEnd(
  seen(
    new RegExp(
      String.raw`(?:\b(?:(?:ba|z|da|k)?sh|eval|source|python[23]?|node|perl|ruby|php|pwsh|powershell|osascript)|[\s;&(]\.)\s{1,2}(?:-[a-z]{1,4}\s)?(?:-[a-z]{1,4}\s)?(?:<<<\s?)?["']?(?:\$\(|<\(|\x60)\s{0,4}(?:sudo\s)?(?:curl|wget)\b`,
    ),
    "curl",
    "wget",
  ),
);

/** `iex (irm …)`, `DownloadString(…) | iex`, a script block out of what was fetched. */
const evaluated = any(
  toLineEnd(
    seen(
      /(?:\biex|\binvoke-expression|\[scriptblock\]::create)\b[^\n]{0,80}\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)\b/,
      "iex",
      "invoke",
      "scriptblock",
    ),
  ),
  seen(/\bdownloadstring\b[^\n]{0,300}\|\s{0,4}(?:iex|invoke-expression)\b/, "downloadstring"),
);

const file = String.raw`(["']?[^\s"'&;|>)\x60]{1,120})`;

/** A file that is fetched, and run under the name it was given. */
const savedAndRun = flows(
  [
    String.raw`\b(?:curl|wget|aria2c)\b[^\n;|]{0,240}?\s(?:-[a-z]{0,6}o|--output(?:-document)?|>)[\s=]?${file}`,
    String.raw`\b(?:wget|aria2c)\b[^\n;|]{0,60}?\s["']?(?:https?:\/\/)?([\w.:-]{4,80}\/[^\s"'&;|)]{1,160})`,
    String.raw`\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer|wget|curl)\b[^\n;|]{0,240}?-(?:outfile|destination|out|o)\s${file}`,
    String.raw`\b(?:urlretrieve|downloadfile|wget\.download)\([^\n)]{0,240}?,\s?(?:out=)?(["']?[^\s"',)]{1,120})`,
    String.raw`["']curl["'][^\n]{0,160}["'](?:-o|--output)["'],\s?(["'][^\n"']{1,120})`,
  ],
  [
    String.raw`\bchmod\s[^\s]{0,6}(?:\+x|[0-7]{0,2}[157][0-7]{0,2})\s${file}`,
    String.raw`(?:^|[\n;&|"'\x60])\s{0,4}[@-]?(?:sudo\s)?(?:(?:ba|z|da|k)?sh|python[23]?|node|perl|ruby|php|source|\.|open|start(?:-process)?|msiexec\s\/i|nohup)[ \t](?:-[a-z]{1,10}[ \t])?${file}`,
    String.raw`\b(?:powershell(?:\.exe)?|pwsh)\b[^\n]{0,40}-file\s${file}`,
    String.raw`(?:^|[\n;])\s{0,4}&\s{0,2}${file}`,
    String.raw`\b(?:system|popen|run|call|exec\w{0,8}|spawn\w{0,6}|startfile|check_output|run_path|run_module)\(\s?\[?${file}`,
    String.raw`(?:^|[\n;&\x60])\s{0,4}(?:sudo\s)?((?:\.|~|\$[\w:]{1,20}|%\w{1,20}%)?[\/\\][^\s"'&;|)\x60]{1,120})`,
  ],
  600,
  ...fetchWords,
  "start",
  "urlretrieve",
  "downloadfile",
);

/** Every way in which a command runs what it has just fetched. */
export const runsFetched: Matcher = once(
  where(any(piped, addressPiped, substituted, evaluated, savedAndRun), hasSource),
);

/** Several rules ask for the same: it is looked for once in each text. */
function once({ patterns, find }: Matcher): Matcher {
  const known = new WeakMap<ScanText, readonly Hit[]>();
  return {
    patterns,
    find: (text) => {
      const hits = known.get(text) ?? find(text);
      known.set(text, hits);
      return hits;
    },
  };
}

/** It says where from: an address, or a variable that holds one. A placeholder does not. */
function hasSource(text: ScanText, hit: Hit): boolean {
  const command = text.lower.slice(hit.start, hit.end);
  return addressesIn(command).length > 0 || /\$\{?[a-z_]|%[a-z_]{1,30}%/.test(command.replaceAll("$(", ""));
}

export function addressesOf(text: ScanText, { start, end }: Hit): readonly Address[] {
  return addressesIn(text.lower.slice(start, end));
}

/** Between the download and its start a checksum or a signature is compared: over an encrypted connection, at a host with a name. */
export function isVerified(text: ScanText, hit: Hit): boolean {
  const stretch = text.lower.slice(hit.start, hit.end);
  const isCompared =
    /\b(?:sha(?:256|512|1)?sum|shasum)\b[^\n]{0,60}\s(?:-c|--check)\b|\b(?:gpg|gpgv|cosign|minisign|slsa-verifier)\b[^\n]{0,40}\s(?:--verify|verify\S{0,12}|-v\w{0,2})\b|\bget-filehash\b|\bgh\sattestation\sverify\b/.test(
      stretch,
    );
  return isCompared && addressesIn(stretch).every((address) => address.isEncrypted && !isUnaccountable(address));
}

/** The rest of the line says where from. */
function toLineEnd({ patterns, find }: Matcher): Matcher {
  return { patterns, find: (text) => find(text).map(({ start, end }) => ({ start, end: lineEnd(text, end) })) };
}

function lineEnd({ lower }: ScanText, from: number): number {
  const rest = lower.slice(from, from + 300);
  const end = rest.indexOf("\n");
  return from + (end === -1 ? rest.length : end);
}

const decodeWords = "base64 base32 openssl xxd printf rev tr gunzip zcat gzip echo uudecode certutil";

/** A command that turns something unreadable into text: encoded, reversed, shifted, escaped, packed. */
const decodes = several(
  decodeWords,
  /\bbase(?:64|32)\s{1,2}(?:-d|-di|--decode)\b[^\n|;]{0,200}/,
  /\bopenssl\s(?:base64|enc)\b[^\n|]{0,40}\s-d\b[^\n|;]{0,80}/,
  /\bxxd\s-[a-z-]{0,6}r[^\n|;]{0,80}/,
  /\buudecode\b[^\n|;]{0,80}/,
  /\|\s?rev\b/,
  /\|\s?tr\s(?!-d)["']?[^\n|]{0,6}[a-z0-9]-[a-z0-9][^\n|]{1,40}/,
  /(?:\bgunzip|\bzcat|\bgzip\s-[a-z]{0,3}d)\b[^\n|;]{0,80}/,
  /(?:\bprintf|\becho\s-[a-z]{0,2}e[a-z]{0,2})\s[^\n|]{0,12}\\(?:x[0-9a-f]|[0-7]{2})[^\n|]{0,600}/,
);

const opening = String.raw`\b(?:(?:ba|z|da|k)?sh|eval|source|python[23]?|node|perl|ruby|php)\s{1,2}(?:-[a-z]{1,4}\s)?(?:<<<\s?)?["']?(?:\$\(|<\(|\x60)[^\n)]{0,400}`;

/** What is decoded goes into a shell: `… | base64 -d | sh`, `bash -c "$(… base64 -d)"`, `bash <(base64 -d …)`. */
const given = any(
  followedBy(decodes, intoShell, 8),
  several(
    decodeWords,
    String.raw`${opening}\bbase(?:64|32)\s{1,2}(?:-d|-di|--decode)`,
    String.raw`${opening}\bopenssl\s(?:base64|enc)\b`,
    String.raw`${opening}(?:\bxxd\s-[a-z]{0,3}r|\|\s?rev\b|\\x[0-9a-f]{2}\\x)`,
  ),
  seen(/\bbase(?:64|32)\s{1,2}(?:-d|-di|--decode)\b[^\n|]{0,80}\|\s{0,3}xargs\b/, "xargs"),
);

/** A variable or a file that is filled with what was decoded, and run. */
const kept = flows(
  [
    String.raw`(?:^|[\n;&])\s{0,8}(?:export\s)?(\w{1,40})=["']?(?:\$\(|\x60)[^\n]{0,400}(?:base(?:64|32)\s(?:-d|--decode)|openssl\s(?:base64|enc)|xxd\s-[a-z]{0,3}r|\\x[0-9a-f]{2}\\x)`,
    String.raw`(?:base(?:64|32)\s{1,2}(?:-d|-di|--decode)|xxd\s-[a-z]{0,3}r|openssl\s(?:base64|enc)\s-d)[^\n;&]{0,120}>\s?(["']?[^\s"'&;|]{1,120})`,
    String.raw`\bcertutil(?:\.exe)?\s[-/]decode(?:hex)?\s[^\s]{1,120}\s([^\s]{1,120})`,
  ],
  [
    String.raw`\b(?:eval|sh\s-c|exec|source|<<<)\s{0,2}["']?\$\{?(\w{1,40})`,
    String.raw`\becho\s["']?\$\{?(\w{1,40})\}?["']?\s?\|\s?(?:sudo\s)?(?:ba|z|da)?sh\b`,
    String.raw`\bchmod\s[^\s]{0,6}(?:\+x|[0-7]{0,2}[157][0-7]{0,2})\s(["']?[^\s"'&;|)]{1,120})`,
    String.raw`\b(?:(?:ba|z|da|k)?sh|python[23]?|node|perl|source|start|nohup)[ \t](["']?[^\s"'&;|)]{1,120})`,
  ],
  800,
  ...decodeWords.split(" "),
);

export const runsDecoded: Matcher = any(given, kept);
