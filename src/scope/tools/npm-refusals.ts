import { commandsOf, lastOption, type RefusedOptions } from "./refused-options.ts";

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
export function lastRefusedByNpm(words: readonly string[]): number {
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
