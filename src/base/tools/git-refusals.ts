import { findOption, type RefusedOptions } from "./refused-options.ts";

/** Before the command only these: the others name other programs, folders or settings (`-c alias.x=!sh`). */
const harmlessGlobals: ReadonlySet<string> = new Set(
  `--version -v --help -h --no-pager -P --no-replace-objects --no-optional-locks --no-advice --no-lazy-fetch
   --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs`.split(/\s+/),
);

/** Commands that exist to start something else, to listen, or to change what git starts. */
const refusedCommands: ReadonlySet<string> = new Set(
  `archimport citool cvsexportcommit cvsimport cvsserver daemon difftool filter-branch for-each-repo gui hook
   http-backend imap-send instaweb maintenance merge-index merge-one-file mergetool p4 receive-pack scalar send-email
   shell svn upload-archive upload-pack`.split(/\s+/),
);

/** Parts of other commands (`bisect--helper`), keepers of secrets, and what speaks to addresses. */
const refusedFamilies = /--|^credential|^remote-/;

/** In every command. */
const everywhere: RefusedOptions = {
  long: [
    "upload-pack",
    "receive-pack",
    "exec",
    "exec-path",
    "ext-diff",
    "textconv",
    "output",
    "output-directory",
    "template",
    "config-env",
    "open-files-in-pager",
    "extcmd",
    "separate-git-dir",
    "unsafe-paths",
  ],
  harmless: ["text"],
  // Addresses that are commands, and a host that ssh would take for an option.
  words: /(?:^|=)(?:ext|fd)::|:\/\/-/i,
};

const perCommand: ReadonlyMap<string, RefusedOptions> = new Map<string, RefusedOptions>([
  ["bisect", { words: /^run$/ }],
  ["submodule", { words: /^foreach$/ }],
  ["rebase", { long: ["interactive"], letters: "xi", valued: "sXSC" }],
  ["grep", { letters: "O", valued: "efABCm" }],
  ["fetch", { letters: "u", valued: "oj" }],
  ["pull", { letters: "u", valued: "sXSoj" }],
  ["ls-remote", { letters: "u", valued: "o" }],
  ["clone", { long: ["config"], letters: "uc", valued: "boj" }],
  ["archive", { long: ["remote"], letters: "o" }],
  ["format-patch", { letters: "o", valued: "SGUOlMCBX" }],
  ["bugreport", { letters: "o" }],
  ["diagnose", { letters: "o" }],
]);

/** The word of a git command that is refused. */
export function refusedByGit(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !word.startsWith("-"));
  const globals = at < 0 ? words : words.slice(0, at);
  const odd = globals.find((word) => !harmlessGlobals.has(word));
  const command = words[at];
  if (odd !== undefined || command === undefined) return odd;
  const rest = words.slice(at + 1);
  if (refusedCommands.has(command) || refusedFamilies.test(command)) return command;
  if (command === "config" && !isReading(rest)) return command;
  return findOption(everywhere, rest) ?? findOption(perCommand.get(command) ?? {}, rest);
}

const whereToRead = /^(?:--global|--system|--local|--worktree|--show-origin|--show-scope|--name-only|--null|-z)$/;
const reading = /^(?:get|list|-l|--list|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool)$/;
const writing: RefusedOptions = {
  long: ["add", "edit", "replace-all", "rename-section", "remove-section", "unset", "unset-all"],
  letters: "e",
};

/** `git config` that shows settings. Setting one can name a program. */
function isReading(words: readonly string[]): boolean {
  const first = words.find((word) => !whereToRead.test(word));
  return first !== undefined && reading.test(first) && findOption(writing, words) === undefined;
}
