import { lastOption, type RefusedOptions } from "./refused-options.ts";

/** Before the command only these: the others name other programs, folders or settings (`-c alias.x=!sh`). */
const harmlessGlobals: ReadonlySet<string> = new Set(
  `--version -v --help -h --no-pager -P --no-replace-objects --no-optional-locks --no-advice --no-lazy-fetch
   --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs`.split(/\s+/),
);

/** Those that take the next word as their value, which is not the command then. */
const valuedGlobals: ReadonlySet<string> = new Set(
  "-c -C --git-dir --work-tree --namespace --super-prefix --config-env --attr-source".split(" "),
);

/** Commands that exist to start something else, to listen, to write anywhere, or to change what git starts. */
const refusedCommands: ReadonlySet<string> = new Set(
  `archimport checkout-index citool cvsexportcommit cvsimport cvsserver daemon difftool filter-branch for-each-repo gui hook
   http-backend http-push imap-send instaweb maintenance merge-file merge-index merge-one-file mergetool p4 receive-pack
   scalar send-email send-pack shell svn upload-archive upload-pack`.split(/\s+/),
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
  // Addresses that are commands, a host that ssh would take for an option, and git's own folder with hooks and settings.
  words: /(?:^|=)(?:ext|fd)::|:\/\/-|(?:^(?:-[a-z]{1,8})?|[=/:])\.git(?:\/|$)/i,
};

const perCommand: ReadonlyMap<string, RefusedOptions> = new Map<string, RefusedOptions>([
  ["bisect", { commands: /^(?:run|view|visualize)$/ }],
  ["submodule", { commands: /^foreach$/ }],
  ["rebase", { long: ["interactive"], letters: "xi", valued: "sXSC" }],
  ["grep", { letters: "O", valued: "efABCm" }],
  ["ls-remote", { letters: "u", valued: "o" }],
  // A repository in a folder runs its own hooks when something is pushed to it.
  ["push", { long: ["repo"], words: /(?:^|=)(?:[./~]|file:)/i }],
  ["remote", { words: /^(?:[./~]|file:)/i }],
  ["clone", { long: ["config"], letters: "uc", valued: "boj" }],
  ["archive", { long: ["remote"], letters: "o" }],
  ["format-patch", { letters: "o", valued: "SGUOlMCBX" }],
  ["bugreport", { letters: "o" }],
  ["diagnose", { letters: "o" }],
]);

/** Where the command stands, behind the options of git itself. */
export function gitCommandAt(words: readonly string[]): number {
  let at = 0;
  for (let word = words[0]; word?.startsWith("-"); word = words[at]) at += valuedGlobals.has(word) ? 2 : 1;
  return at;
}

/** Where the last word is that is refused; -1 when none is. */
export function lastRefusedByGit(words: readonly string[]): number {
  const at = gitCommandAt(words);
  const odd = lastOddGlobal(words, at);
  const command = words[at]?.toLowerCase();
  if (command === undefined) return odd;
  const rest = words.slice(at + 1);
  // Setting something can name a program; which words do is not looked at.
  if (command === "config" && isWriting(rest)) return words.length - 1;
  const isOdd = refusedCommands.has(command) || refusedFamilies.test(command);
  const inRest = Math.max(
    lastOption(everywhere, rest),
    lastOption(perCommand.get(command) ?? {}, rest),
    command === "push" ? folderPushedTo(rest) : -1,
  );
  return inRest >= 0 ? at + 1 + inRest : isOdd ? at : odd;
}

function lastOddGlobal(words: readonly string[], end: number): number {
  let odd = -1;
  for (let at = 0; at < end; at += valuedGlobals.has(words[at] ?? "") ? 2 : 1)
    if (!harmlessGlobals.has(words[at] ?? "")) odd = at;
  return odd;
}

/** Takes the next word as its value. */
const pushOption = /^(?:-[vqnfdu46]{0,8}o|--push-o[a-z-]{0,8})$/;

/** `git push sub/other.git`: what is pushed to is a folder when it has no host. */
function folderPushedTo(words: readonly string[]): number {
  const at = words.findIndex((word, index) => !word.startsWith("-") && !pushOption.test(words[index - 1] ?? ""));
  const isFolder = /^[^:]*\/[^:]*$|^[^:]*\.git$/i.test(words[at] ?? "");
  return isFolder ? at : -1;
}

const whereToRead = /^(?:--global|--system|--local|--worktree|--show-origin|--show-scope|--name-only|--null|-z)$/;
const reading = /^(?:get|list|-l|--list|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool)$/;
const writing: RefusedOptions = {
  long: ["add", "edit", "replace-all", "rename-section", "remove-section", "unset", "unset-all"],
  letters: "e",
};

/** Whether `git config` does more than show settings. A name alone shows what it is set to. */
function isWriting(words: readonly string[]): boolean {
  const [first, ...more] = words.filter((word) => !whereToRead.test(word));
  if (first === undefined) return false;
  const isName = more.length === 0 && /^[^-][^.]*\./.test(first);
  return !(isName || reading.test(first)) || lastOption(writing, words) >= 0;
}
