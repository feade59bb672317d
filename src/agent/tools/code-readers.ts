import { basename } from "node:path/posix";

/**
 * Who would take a text for code, as a best effort: by name, and only what is obviously one. It keeps a host from a
 * mistake, and holds nobody: any program can hand its arguments to a shell.
 */

/** Some take their code by `-c`, some put all their arguments into a line for a shell. */
const shells = new Set(
  `sh ash at bash batch csh dash elvish eval fish ksh mksh nu parallel powershell pwsh rbash rksh runuser screen script ssh
  su tcsh tmux watch yash zsh`.split(/\s+/),
);

/** Words that other programs use for something else: they count where they are what is started. */
const ordinary = new Set(["at", "batch", "eval", "nu", "parallel", "screen", "script", "watch"]);

/** Shells for somebody, or into a file: what they name besides their code is no script. */
const sessions = new Set(["runuser", "screen", "script", "su", "tmux"]);

/** Shells for later: what they name is a time, and a script only behind `-f`. */
const laters = new Set(["at", "batch"]);

/** Options that are followed by a program. */
const starting = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

interface Launcher {
  /** Letters of options that are followed by a value. */
  readonly valued: string;
  /** Words that come before the program. */
  readonly before: number;
}

/** Programs that start the one they are given. */
const launchers = new Map<string, Launcher>([
  ["busybox", { valued: "", before: 0 }],
  ["chroot", { valued: "", before: 1 }],
  ["command", { valued: "", before: 0 }],
  ["doas", { valued: "Cu", before: 0 }],
  ["env", { valued: "uC", before: 0 }],
  ["exec", { valued: "a", before: 0 }],
  ["flock", { valued: "wE", before: 1 }],
  ["ionice", { valued: "cn", before: 0 }],
  ["nice", { valued: "n", before: 0 }],
  ["nohup", { valued: "", before: 0 }],
  ["setpriv", { valued: "", before: 0 }],
  ["setsid", { valued: "", before: 0 }],
  ["stdbuf", { valued: "ioe", before: 0 }],
  ["sudo", { valued: "CDghpRrTtUu", before: 0 }],
  ["time", { valued: "fo", before: 0 }],
  ["timeout", { valued: "ks", before: 1 }],
  ["unshare", { valued: "RSGw", before: 0 }],
  ["xargs", { valued: "adEILnPs", before: 0 }],
]);

/** These start programs too, and where in their arguments takes more than a table to know. */
const boxes = new Set(
  "bwrap distrobox docker firejail flatpak-spawn kubectl nerdctl nsenter podman strace systemd-run toolbox".split(" "),
);

interface Interpreter {
  /** Options, and commands, that are followed by code. */
  readonly code: RegExp;
  /** Letters of options that are followed by something else. */
  readonly valued: string;
  /** Words that may come before the script. */
  readonly commands?: RegExp;
}

/** No option of theirs is. */
const none = /^(?!)/;

const awk: Interpreter = { code: /^(?:-[efE]|--source|--file|--exec)$/, valued: "Fvil" };

const interpreters = new Map<string, Interpreter>([
  ["awk", awk],
  ["bun", { code: /^(?:-e|--eval|-p|--print)$/, valued: "r", commands: /^(?:run|exec)$/ }],
  ["deno", { code: /^(?:--)?eval$/, valued: "c", commands: /^(?:run|repl|serve|test|bench)$/ }],
  ["gawk", awk],
  ["groovy", { code: /^-[A-Za-z]{0,16}e$/, valued: "cD" }],
  ["jshell", { code: none, valued: "" }],
  ["lua", { code: /^-e$/, valued: "l" }],
  ["mawk", awk],
  ["nawk", awk],
  ["node", { code: /^(?:-e|--eval|-p|-pe|--print)$/, valued: "rC" }],
  ["nodejs", { code: /^(?:-e|--eval|-p|-pe|--print)$/, valued: "rC" }],
  ["osascript", { code: /^-e$/, valued: "ls" }],
  ["perl", { code: /^-[A-Za-z0-9]{0,16}[eE]$/, valued: "IMm" }],
  ["php", { code: /^(?:-[rBRE]|--run|--process-(?:begin|code|end))$/, valued: "cdz" }],
  ["pypy", { code: /^-[A-Za-z]{0,16}c$/, valued: "WX" }],
  ["python", { code: /^-[A-Za-z]{0,16}c$/, valued: "WX" }],
  ["rscript", { code: /^-e$/, valued: "" }],
  ["ruby", { code: /^-[A-Za-z]{0,16}e$/, valued: "IrCE" }],
  ["tclsh", { code: none, valued: "" }],
]);

/** Who before the place of the text would run it; undefined when nobody is seen to. */
export function argumentReader(argv: readonly string[], placeholder: string): string | undefined {
  const before = argv.slice(0, argv.lastIndexOf(placeholder));
  const started = startedAt(argv);
  return before.find((word, index) => {
    const [name, rest] = [nameOf(word), argv.slice(index + 1)];
    const isShell = shells.has(name) && (index === started || !ordinary.has(name));
    if (isShell || (starting.has(word) && rest[0] === placeholder)) return true;
    const launcher = launchers.get(name);
    if (launcher !== undefined && rest[programAt(launcher, rest)] === placeholder) return true;
    const interpreter = interpreters.get(name);
    return interpreter !== undefined && codeOf(interpreter, rest, placeholder) === "the text";
  });
}

/** Who would run what comes by standard input; undefined when nobody is seen to. */
export function inputReader(argv: readonly string[]): string | undefined {
  const at = startedAt(argv);
  const shell = shellIn(argv, at);
  if (shell !== undefined) return argv[shell];
  const [program = "", ...rest] = argv.slice(at);
  const interpreter = interpreters.get(nameOf(program));
  return interpreter !== undefined && codeOf(interpreter, rest, "-") !== "its own" ? program : undefined;
}

/** Where the shell is that reads the input. Behind `xargs` any will: its arguments are what was read. */
function shellIn(argv: readonly string[], started: number): number | undefined {
  const isShell = (word: string) => shells.has(nameOf(word));
  const launchedBy = argv.slice(0, started + 1).map(nameOf);
  const isSomewhere = launchedBy.some((name) => launchers.has(name) || boxes.has(name));
  const at = isSomewhere ? argv.findIndex(isShell) : argv.slice(0, 1).findIndex(isShell);
  if (at < 0) return undefined;
  return launchedBy.includes("xargs") || readsInput(nameOf(argv[at] ?? ""), argv.slice(at + 1)) ? at : undefined;
}

/** Options of shells that are followed by a value. */
const valuedOfShells = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/** Without a script or code of its own a shell reads commands from its input; one elsewhere, without any. */
function readsInput(shell: string, words: readonly string[]): boolean {
  const hasCode = words.slice(0, -1).some((word) => /^(?:-[A-Za-z]{0,20}c|--command)$/.test(word));
  if (sessions.has(shell)) return !hasCode;
  if (laters.has(shell)) return !words.slice(0, -1).includes("-f");
  const plain = words.filter((word, index) => !/^[-+]/.test(word) && !valuedOfShells.has(words[index - 1] ?? ""));
  return words.includes("-s") || (!hasCode && plain.length <= (shell === "ssh" ? 1 : 0));
}

/** Where the program is that is started in the end, by launchers or at once. */
function startedAt(argv: readonly string[]): number {
  let at = 0;
  for (let next = launchers.get(nameOf(argv[at] ?? "")); next !== undefined; ) {
    at += 1 + programAt(next, argv.slice(at + 1));
    next = launchers.get(nameOf(argv[at] ?? ""));
  }
  return at;
}

/** Which of its arguments a launcher starts: behind its options, what it sets, and what it wants to know first. */
function programAt({ valued, before }: Launcher, words: readonly string[]): number {
  let [at, left] = [0, before];
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (isValued(word, valued)) at += 2;
    else if (word.startsWith("-") || /^\w{1,64}=/.test(word)) at++;
    else if (left-- > 0) at++;
    else break;
  }
  return at;
}

/** Options of interpreters that are followed by something else, in words. */
const longValued =
  /^--?(?:class-?path|cp|conditions|config|encoding|env-file|ext|feedback|import|import-map|loader|require|startup)$/;

/** Whose code an interpreter would run: that in its arguments or in a file that they name, or the text. */
function codeOf(
  { code, valued, commands }: Interpreter,
  words: readonly string[],
  text: string,
): "its own" | "the text" {
  let found: "its own" | "the text" = "the text";
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (commands?.test(word) === true) continue;
    if (word !== text && !word.startsWith("-") && !code.test(word)) return "its own";
    if (word === text) return found;
    if (code.test(word) && words[at + 1] !== undefined) {
      if (words[++at] === text) return "the text";
      found = "its own";
    } else if (isValued(word, valued) || longValued.test(word)) at++;
  }
  return found;
}

function isValued(word: string, letters: string): boolean {
  return word.length === 2 && word.startsWith("-") && letters.includes(word.slice(1));
}

/** Of `/usr/bin/python3.11`, `bash-5.2` and `pwsh.exe` what everybody calls them. */
function nameOf(word: string): string {
  return basename(word)
    .toLowerCase()
    .replace(/\.exe$/, "")
    .replace(/-?[\d.]{1,16}$/, "");
}
