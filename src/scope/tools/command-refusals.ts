import { safeLine } from "../../core/text.ts";
import { gitCommandAt, lastRefusedByGit } from "./git-refusals.ts";
import { lastOption, type RefusedOptions, commandsOf } from "./refused-options.ts";
import { lastRefusedBySed } from "./sed-refusals.ts";
import type { RefusedWord } from "./tools.ts";

/**
 * Programs that start other programs when an option tells them to, though a pattern that names them means only them
 * (SC-7). Best effort: `Bash(git:*)` permits whatever git itself can start. What exists to run something else (`env`,
 * `xargs`, `sh`, `npx`) has no row: a pattern that names it says so.
 */
const rows: { readonly programs: readonly string[]; readonly options: RefusedOptions }[] = [
  {
    programs: ["find", "gfind"],
    options: { words: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/ },
  },
  { programs: ["fd", "fdfind"], options: { long: ["exec", "exec-batch"], letters: "xX", valued: "eEtdSco" } },
  { programs: ["rg"], options: { long: ["pre", "hostname-bin"] } },
  {
    programs: ["tar", "gtar", "bsdtar"],
    options: {
      long: [
        "to-command",
        "checkpoint-action",
        "use-compress-program",
        "rsh-command",
        "rmt-command",
        "info-script",
        "new-volume-script",
      ],
      letters: "IF",
      valued: "fCTXbKNVgLH",
      isFirstBundled: true,
    },
  },
  {
    programs: ["rsync"],
    options: { long: ["rsh", "rsync-path", "remote-option", "daemon", "config"], letters: "eM", valued: "fTB" },
  },
  { programs: ["ssh"], options: { letters: "oFIE", valued: "BbcDeiJLlmOpQRSWw" } },
  { programs: ["scp"], options: { letters: "oFSD", valued: "cilJPX" } },
  { programs: ["sftp"], options: { letters: "oFSDb", valued: "BciJlPRX" } },
  { programs: ["sort", "gsort"], options: { long: ["compress-program", "output"], letters: "o", valued: "kStT" } },
  {
    programs: ["wget"],
    options: { long: ["use-askpass", "execute", "config"], letters: "e", valued: "oaiBtOTwQPUlADIXR" },
  },
  { programs: ["zip"], options: { long: ["unzip-command"], words: /^-[A-Za-z]{0,32}TT/ } },
  { programs: ["man"], options: { long: ["pager", "html", "config-file", "preprocessor"], letters: "PHC" } },
  {
    programs: ["cargo"],
    options: {
      long: ["config", "manifest-path"],
      letters: "ZC",
      // Behind `--` these take options of the compiler, which names the linker.
      commands: /^(?:rustc|rustdoc)$/,
      endsAtDashes: true,
    },
  },
  {
    programs: ["go"],
    options: {
      // `env -w` sets what every later call starts.
      words:
        /^--?(?:C|w|exec|toolexec|vettool|overlay|modfile|ldflags|gcflags|asmflags|gccgoflags|compiler|pkgdir)(?:=|$)/,
    },
  },
  {
    programs: ["make", "gmake"],
    options: {
      long: ["file", "makefile", "directory", "eval", "include-dir"],
      letters: "fCIE",
      // `SHELL=…`, `.SHELLFLAGS=…` and `CC =…` say what is run: every variable, however it is written.
      words: /^(?!-)[^=]*=/,
    },
  },
  {
    programs: ["gcc", "g++", "cc", "c++", "clang", "clang++"],
    options: {
      // `@file` is a file of further options.
      words:
        /^(?:@|-B|--?(?:wrapper|fplugin|fpass-plugin|specs|prefix|fuse-ld|ld-path|Xlinker|for-linker|Wl,|Xclang|mllvm|config|gcc-toolchain))/,
    },
  },
  { programs: ["split", "gsplit"], options: { long: ["filter"] } },
  { programs: ["bat", "ag"], options: { long: ["pager"] } },
  { programs: ["apt", "apt-get"], options: { long: ["option", "config-file"], letters: "oc" } },
  { programs: ["gh"], options: { commands: /^(?:alias|config|ext|extension|extensions)$/ } },
];

const byProgram: ReadonlyMap<string, RefusedOptions> = new Map(
  rows.flatMap(({ programs, options }) => programs.map((program) => [program, options] as const)),
);

/**
 * The last word that a pattern must have of its own to let a command through, simple as it is; null when there is none.
 * Which words are refused depends only on those before them, so that patterns lie inside each other or apart.
 */
export function lastRefused(words: readonly string[]): RefusedWord | null {
  const [first = "", ...rest] = words;
  const program = programOf(first);
  const at = lastRefusedBy(program, rest);
  if (at < 0) return null;
  // A command of git is named in full: `bisect run`.
  const command = program === "git" ? gitCommandAt(rest) : at;
  const named = (command < at ? [rest[command], rest[at]] : [rest[at]]).map((word) => safeLine(word ?? "", 40));
  return { at: at + 1, why: `\`${[program, ...named].join(" ")}\` can start other programs or write elsewhere` };
}

function lastRefusedBy(program: string, words: readonly string[]): number {
  if (program === "git") return lastRefusedByGit(words);
  if (program === "npm" || program === "pnpm") return lastRefusedByNpm(words);
  if (program === "sed" || program === "gsed") return lastRefusedBySed(words);
  const options = byProgram.get(program);
  return options === undefined ? -1 : lastOption(options, words);
}

/** By its last name, also of another version: `/usr/bin/gcc-12`. */
function programOf(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/\.exe$/, "").replace(/-\d[\d.]{0,15}$/, "");
}

const options: RefusedOptions = {
  long: [
    "script-shell",
    "shell",
    "node-options",
    "node-gyp",
    "python",
    "git",
    "editor",
    "viewer",
    "browser",
    "userconfig",
    "globalconfig",
    "prefix",
    "dir",
    "init-module",
    "pnpmfile",
    "global-pnpmfile",
  ],
  harmless: ["global", "no"],
  isLoose: true,
  letters: "C",
  // Also by the beginnings that npm takes for them.
  commands: /^(?:exec?|x|explo(?:re?)?|ed(?:it?)?|dlx)$/,
  endsAtDashes: true,
};

/** Where the last word is that npm or pnpm is refused; -1 when none is. */
function lastRefusedByNpm(words: readonly string[]): number {
  // Setting something can name a program; which words do is not looked at.
  const isSetting = commandsOf(options, words).some((at) => isSettingAt(words, at));
  return isSetting ? words.length - 1 : lastOption(options, words);
}

const config = /^(?:c|con|conf|confi|config)$/;
const flag = /^(?:-g|-l|--global|--long|--json)$/;
const reading = /^(?:get|list|ls)$/;

/** Whether a command does more than show settings. Any other option could take `get` for its value. */
function isSettingAt(words: readonly string[], at: number): boolean {
  const command = words[at] ?? "";
  if (command === "set") return true;
  if (!config.test(command)) return false;
  const action = words.slice(at + 1).find((word) => !flag.test(word));
  return action !== undefined && !reading.test(action);
}
