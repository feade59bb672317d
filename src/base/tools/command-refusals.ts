import { refusedByGit } from "./git-refusals.ts";
import { findOption, type RefusedOptions } from "./refused-options.ts";
import { safeLine } from "../text.ts";

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
  { programs: ["sort", "gsort"], options: { long: ["compress-program"] } },
  {
    programs: ["wget"],
    options: { long: ["use-askpass", "execute", "config"], letters: "e", valued: "oaiBtOTwQPUlADIXR" },
  },
  { programs: ["zip"], options: { long: ["unzip-command"], words: /^-[A-Za-z]{0,32}TT/ } },
  { programs: ["man"], options: { long: ["pager", "html", "config-file", "preprocessor"], letters: "PHC" } },
  {
    programs: ["npm", "pnpm"],
    options: {
      long: [
        "script-shell",
        "shell",
        "node-options",
        "git",
        "editor",
        "viewer",
        "browser",
        "userconfig",
        "globalconfig",
        "prefix",
        "dir",
        "init-module",
      ],
      harmless: ["global"],
      isOneDashLong: true,
      letters: "C",
      endsAtDashes: true,
    },
  },
  { programs: ["cargo"], options: { long: ["config", "manifest-path"], letters: "ZC", endsAtDashes: true } },
  {
    programs: ["go"],
    options: {
      words:
        /^--?(?:C|exec|toolexec|vettool|overlay|modfile|ldflags|gcflags|asmflags|gccgoflags|compiler|pkgdir)(?:=|$)/,
    },
  },
  {
    programs: ["make", "gmake"],
    options: {
      long: ["file", "makefile", "directory", "eval", "include-dir"],
      letters: "fCIE",
      // `SHELL=…` and `CC=…` name programs.
      words: /^[A-Za-z_][A-Za-z0-9_]{0,63}[:+?!]{0,3}=/,
    },
  },
  {
    programs: ["gcc", "g++", "cc", "c++", "clang", "clang++"],
    options: { words: /^-(?:wrapper|fplugin|specs|-specs|B|fuse-ld|Xlinker|Wl,)/ },
  },
  { programs: ["split", "gsplit"], options: { long: ["filter"] } },
  { programs: ["bat", "ag"], options: { long: ["pager"] } },
  { programs: ["apt", "apt-get"], options: { long: ["option", "config-file"], letters: "oc" } },
  { programs: ["gh"], options: { words: /^(?:alias|config|ext|extension|extensions)$/ } },
];

const byProgram: ReadonlyMap<string, RefusedOptions> = new Map(
  rows.flatMap(({ programs, options }) => programs.map((program) => [program, options] as const)),
);

/** Why no pattern lets a command through although it is simple; null when nothing speaks against it. */
export function refusedOption(words: readonly string[]): string | null {
  const [first = "", ...rest] = words;
  const program = first
    .slice(first.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");
  const options = byProgram.get(program);
  const refused = program === "git" ? refusedByGit(rest) : options && findOption(options, rest);
  if (refused === undefined) return null;
  return `\`${program} ${safeLine(refused, 40)}\` can start other programs or write elsewhere`;
}
