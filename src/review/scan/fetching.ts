import { type Address, addressesIn, isUnaccountable } from "./addresses.ts";
import { flows } from "./flows.ts";
import { any, followedBy, seen, where } from "./matchers.ts";
import type { Hit, Matcher } from "./rule.ts";
import type { ScanText } from "./text.ts";

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
