import { compareTexts, isPrintableAscii, safeLine } from "../core/text.ts";
import type { Capabilities } from "./capabilities.ts";
import { programsIn } from "./programs.ts";
import { dotenv, namesOf, readsOf, type Store, stores } from "./words/stores.ts";
import type { ScanText } from "./text.ts";

/** What a bundle's texts and the tools it asks for let it reach (RV-14, T35). */
export function capabilitiesOf(texts: readonly ScanText[], tools: readonly string[]): Capabilities {
  return {
    secrets: listed(texts.map(secretsIn)),
    network: listed([...texts.map(networkIn), tools.filter((tool) => networkTool.test(tool))]),
    shell: listed([...texts.map(shellIn), tools.filter((tool) => shellTool.test(tool))]),
  };
}

/** Every host that is named anywhere in them, called or not, as DNS has it. */
export function hostsIn(texts: readonly ScanText[]): readonly string[] {
  const hosts = new Set<string>();
  for (const text of texts)
    for (const form of text.raw === text.text ? [text.text] : [text.text, text.raw])
      for (const pattern of [address, login, bare])
        for (const found of form.matchAll(pattern)) hosts.add(safeLine(hostName(found[1] ?? ""), 253));
  hosts.delete("");
  return Array.from(hosts).toSorted(compareTexts);
}

/** Sorted, each once, made visible. */
function listed(groups: readonly Iterable<string>[]): readonly string[] {
  const all = new Set<string>();
  for (const group of groups) for (const name of group) all.add(safeLine(name, 80));
  return Array.from(all).toSorted(compareTexts);
}

const read = [
  /\$(?:env:|\{)?([A-Za-z_][A-Za-z0-9_]{2,60})/g,
  /\b(?:process\.env|import\.meta\.env|Bun\.env)(?:\.|\[["'`])([A-Za-z_][A-Za-z0-9_]{2,60})/g,
  /\b(?:environ(?:\.get)?|getenv|ENV|ENV\.fetch|Deno\.env\.get|env::var|os\.Getenv|System\.getenv)\s?[[(]\s?["'`]([A-Za-z_][A-Za-z0-9_]{2,60})/g,
];
const secretWord =
  /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PAT|CREDENTIALS?|PRIVATE_?KEY|MNEMONIC|SEED|DSN|COOKIES?|DATABASE_URL|DB_URL|MONGODB_URI|REDIS_URL|WEBHOOK_URL|CONNECTION_STRING)(?:_|$|\d)|SECRET|PASSWORD|TOKEN/;

const fileStores = [...stores, dotenv].map((store) => ({ store, isRead: reads(store) }));

function secretsIn(text: ScanText): readonly string[] {
  const names = read.flatMap((pattern) => Array.from(text.text.matchAll(pattern), (found) => found[1] ?? ""));
  const files = fileStores.filter(({ isRead }) => isRead(text)).map(({ store }) => store.name);
  // A lower-case name with a dollar is a variable of a script, not of the environment.
  return [...names.filter((name) => name === name.toUpperCase() && secretWord.test(name)), ...files];
}

/** Told to be read anywhere, or named where a program stands. */
function reads(store: Store): (text: ScanText) => boolean {
  const [told, named] = [readsOf([store]), namesOf(store)];
  return (text) => told.find(text).length > 0 || named.find(text).some(({ start }) => text.regionAt(start) === "fence");
}

const networkTool = /^(?:web|fetch|http|browser|mcp__|playwright|puppeteer)/i;
const shellTool = /^(?:bash|shell|terminal|execute|exec|run_?command|powershell|cmd|python|node|computer)/i;

const address = /\b(?:https?|wss?|ftp|sftp|ssh|git):\/\/(?:[^\s/@"'`<>]{1,80}@)?([^\s/:?#"'`<>()[\]{}|,;$\\]{1,253})/gi;
const login =
  /\b(?:ssh|scp|sftp|rsync|git)\b[^\n]{0,80}?[\s"'][\w.-]{1,40}@([a-z0-9][a-z0-9.-]{1,100}\.[a-z0-9]{2,24})\b/gi;
const bare =
  /\b(?:curl|wget|nc|ncat|telnet)\s(?:-[\sa-z-]{0,12}\s)?["']?((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?=[/:\s"']|$)/gi;
const toldToCall = /\b(?:fetch|call|request|query|download|post|send|upload|curl|wget)\b[^\n]{0,60}$/i;

/** Programs and libraries that are there to open connections. */
const clients =
  /\b(curl|wget|ncat|netcat|socat|telnet|httpx|aiohttp|axios|urllib|websockets?|paramiko|smtplib|ftplib|invoke-webrequest|invoke-restmethod)\b|\b(requests)\.(?:get|post|put|patch|delete|session|request)\(|\b(fetch)\(|\b(https?)\.(?:get|request)\(|\b(socket)\.(?:socket|connect|create_connection)\(|(?:^|[|;&\s])(nc|ssh|scp|rsync)\s{1,4}[-\w]/g;

function networkIn(text: ScanText): readonly string[] {
  const hosts = [address, login, bare].flatMap((pattern) =>
    Array.from(text.text.matchAll(pattern))
      .filter(({ index }) => isCalled(text, index))
      .map((found) => hostName(found[1] ?? "")),
  );
  const programs = Array.from(text.lower.matchAll(clients))
    .filter(({ index, 0: { length } }) => isCode(text, index + Math.min(1, length - 1)))
    .map((found) => found.slice(1).find((name) => name !== undefined) ?? "");
  return [...hosts, ...foreignHosts(text), ...programs].filter((name) => name !== "");
}

/** Hosts as they were written, where reading made other letters of theirs: the one that is asked is not the one that is read. */
function foreignHosts({ raw, text }: ScanText): readonly string[] {
  if (raw === text) return [];
  return Array.from(raw.matchAll(address), (found) => found[1] ?? "")
    .filter((host) => !isPrintableAscii(host))
    .map(hostName);
}

function isCode(text: ScanText, offset: number): boolean {
  const region = text.regionAt(offset);
  return region === "fence" || region === "inline";
}

/** An address in a program is called; one in a sentence is read about, unless the sentence says to call it. */
function isCalled(text: ScanText, offset: number): boolean {
  return isCode(text, offset) || toldToCall.test(text.text.slice(Math.max(0, offset - 70), offset));
}

/**
 * Exactly as it is asked for, so that a new one shows: letters beyond ASCII as DNS has them. None for the machine itself
 * and for what is left to be filled in.
 */
function hostName(host: string): string {
  const name = inAscii(host.toLowerCase()).replace(/\.+$/, "");
  if (/^(?:localhost|127\.|0\.0\.0\.0|host\.docker\.internal$)/.test(name)) return "";
  return /[^.]\.[^.]/.test(name) ? name : "";
}

function inAscii(host: string): string {
  const url = `https://${host}`;
  return !isPrintableAscii(host) && URL.canParse(url) ? new URL(url).hostname : host;
}

const starts =
  /\b(subprocess)\.(?:run|popen|call|check_)|\b(child_process)\b|\b(os\.system|os\.popen|execsync|spawnsync|shell_exec|start-process|invoke-expression)\b|\b(exec|system|spawn)\(["'`[]/g;

const interpreters: readonly (readonly [RegExp, string])[] = [
  [/\.py$/i, "python"],
  [/\.(?:[cm]?js|[cm]?ts)$/i, "node"],
  [/\.(?:sh|bash|zsh|fish|ksh)$/i, "sh"],
  [/\.(?:ps1|bat|cmd)$/i, "powershell"],
  [/\.rb$/i, "ruby"],
  [/\.pl$/i, "perl"],
  [/\.php$/i, "php"],
];

function shellIn(text: ScanText): readonly string[] {
  const calls = Array.from(text.lower.matchAll(starts))
    .filter(({ index }) => isCode(text, index))
    .map((found) => found.slice(1).find((name) => name !== undefined) ?? "");
  const script = interpreters.find(([extension]) => extension.test(text.file))?.[1];
  return [...calls, ...programsIn(text), ...(script === undefined ? [] : [script])];
}
