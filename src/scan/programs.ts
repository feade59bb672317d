import type { ScanText } from "./text.ts";

/** Words of the shell that are not programs, and programs that only start another one. */
const words = new Set(
  "if then else elif fi for while until do done case esac in function select time exec builtin command coproc local export declare readonly unset set source echo printf read GET POST PUT PATCH DELETE HEAD OPTIONS return exit break continue shift test true false cd pushd popd alias trap wait eval let".split(
    " ",
  ),
);
const starters = new Set([
  "sudo",
  "doas",
  "nohup",
  "env",
  "xargs",
  "time",
  "command",
  "exec",
  "then",
  "do",
  "else",
  "if",
  "while",
  "until",
]);

/** What a fence without a name begins its lines with when it is meant to be typed into a shell. */
const typed =
  /^\s*(?:\$ |>? ?)?(?:npm|npx|pnpm|yarn|bun|bunx|node|deno|python3?|pip3?|uv|uvx|pipx|git|gh|curl|wget|docker|kubectl|helm|brew|apt|apt-get|sudo|make|cargo|go|rustup|ssh|scp|rsync|chmod|mkdir|cp|mv|rm|tar|unzip|openssl|aws|gcloud|az|terraform|ffmpeg|jq|psql|sqlite3)\s/;

const shellFence =
  /^[\s>*+-]{0,12}(?:`{3,12}|~{3,12})\s{0,4}\{?\.?(?:bash|sh|shell|zsh|fish|ksh|console|shell-session|shellscript|terminal|powershell|pwsh|ps1|cmd|bat|batch)\b/i;
const bareFence = /^[\s>*+-]{0,12}(?:`{3,12}|~{3,12})\s{0,4}$/;
const shellFile = /\.(?:sh|bash|zsh|fish|ksh|bat|cmd|ps1)$/i;
const shebang = /^#!\s?\S{0,60}\b(?:ba|z|da|k|fi)?sh\b/;

/** The names of the programs that the shell lines of a text start. */
export function programsIn(text: ScanText): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, start, end } of text.regions) {
    if (kind === "fence") addFrom(found, text, text.text.slice(start, end));
    else if (kind === "inline" && isToldToRun(text, start))
      addProgram(found, text.text.slice(start, Math.min(end, start + longestLine)).replaceAll("`", ""));
  }
  return found;
}

function addFrom(found: Set<string>, { file, kind }: ScanText, fence: string): void {
  if (kind === "data") {
    for (const [, program = ""] of fence.matchAll(/"command"\s{0,4}:\s{0,4}"([^"\n]{1,80})"/g))
      addProgram(found, program);
    return;
  }
  const [first = "", ...rest] = fence.split("\n");
  const isScript = kind === "code" ? shellFile.test(file) || shebang.test(first) : shellFence.test(first);
  const isTyped = kind === "markdown" && bareFence.test(first);
  if (!isScript && !isTyped) return;
  addLines(found, kind === "code" ? [first, ...rest] : rest, isTyped);
}

function addLines(found: Set<string>, lines: readonly string[], isTyped: boolean): void {
  let [isContinued, heredoc] = [false, ""];
  for (const line of lines) {
    if (heredoc !== "") {
      if (line.trim() === heredoc) heredoc = "";
      continue;
    }
    if (!isContinued && (!isTyped || typed.test(line))) for (const part of partsOf(line)) addProgram(found, part);
    isContinued = /[\\`^]\s*$/.test(line.slice(-4));
    heredoc = /<<-?\s{0,2}["']?(\w{1,40})/.exec(line.slice(0, longestLine))?.[1] ?? "";
  }
}

const longestLine = 1000;

/** The commands of one line: apart where `|`, `&`, `;` or the start of a substitution stands outside of quotes. */
function partsOf(line: string): readonly string[] {
  const head = line.slice(0, longestLine);
  const parts: string[] = [];
  let [quote, from] = ["", 0];
  for (let at = 0; at < head.length; at++) {
    const char = head.charAt(at);
    if (char === "\\") at++;
    else if (char === "#" && quote === "" && /^\s?$/.test(head.charAt(at - 1))) return [...parts, head.slice(from, at)];
    else if (char === "$" && head.charAt(at + 1) === "(" && quote !== "'") {
      parts.push(head.slice(from, at));
      from = at + 2;
      quote = "";
    } else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ("|&;".includes(char)) {
      parts.push(head.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, head.slice(from)];
}

/** The first word that names a program; what only starts another one is passed over. */
function addProgram(found: Set<string>, command: string): void {
  const tokens = command.replace(/^\s*(?:[$>%#]\s)?/, "").split(/\s+/, 8);
  for (const token of tokens) {
    if (/^[\w.]{1,60}=/.test(token) || token.startsWith("-") || /^[({!]+$/.test(token)) continue;
    const name = programName(token);
    if (name === undefined) return;
    if (!words.has(name)) found.add(name);
    if (!starters.has(name)) return;
  }
}

/** A program of the system by its name alone; one of the bundle by its path. */
function programName(token: string): string | undefined {
  if (!/^[\w@./~-]{1,80}$/.test(token) || !/[a-z]/i.test(token)) return undefined;
  return token.startsWith("/") ? token.slice(token.lastIndexOf("/") + 1) : token;
}

function isToldToRun({ text }: ScanText, start: number): boolean {
  return /\b(?:run|runs|running|execute|invoke)\b[^\n`]{0,30}$/i.test(text.slice(Math.max(0, start - 45), start));
}
