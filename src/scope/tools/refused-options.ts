/** Options of a program that a pattern naming it does not mean. */
export interface RefusedOptions {
  /** Long ones, without their dashes: also abbreviated, and with a value behind `=`. */
  readonly long?: readonly string[];
  /** Long ones that are the beginning of a refused one, and harmless. */
  readonly harmless?: readonly string[];
  /** As npm reads them: any number of dashes, `no-` in front any number of times, `_` and `config.` at will. */
  readonly isLoose?: boolean;
  /** Of one letter, also bundled with others. */
  readonly letters?: string;
  /** Letters that take the rest of a bundle as their value. */
  readonly valued?: string;
  /** The first word is a bundle without a dash: `tar xIf`. */
  readonly isFirstBundled?: boolean;
  /** Whole words of other shapes. */
  readonly words?: RegExp;
  /** Commands of the program: the first word behind a `+toolchain`; any word when options stand before it. */
  readonly commands?: RegExp;
  /** What follows `--` is never an option; elsewhere `--` can be the value of one, and nothing ends there. */
  readonly endsAtDashes?: boolean;
}

/** Where the last word is that is refused; -1 when none is. */
export function lastOption(options: RefusedOptions, words: readonly string[]): number {
  const end = options.endsAtDashes ? words.indexOf("--") : -1;
  const option = words.findLastIndex((word, at) => (end < 0 || at < end) && isRefused(options, word, at === 0));
  const { commands } = options;
  if (commands === undefined) return option;
  return Math.max(option, commandsOf(options, words).findLast((at) => commands.test(words[at] ?? "")) ?? -1);
}

/** Where the command of a program may stand. */
export function commandsOf({ endsAtDashes }: RefusedOptions, words: readonly string[]): readonly number[] {
  const first = words[0]?.startsWith("+") ? 1 : 0;
  if (!words[first]?.startsWith("-")) return [first];
  // What stands before a command may be an option with a value of its own, so that any word may be the command.
  const end = endsAtDashes ? words.indexOf("--") : -1;
  // `npm -- exec`: it may also be the one behind the dashes.
  return Array.from(words.keys()).filter((at) => at >= first && (end < 0 || at <= end + 1));
}

function isRefused(options: RefusedOptions, word: string, isFirst: boolean): boolean {
  if (options.words?.test(word)) return true;
  if (!word.startsWith("-")) return isFirst && options.isFirstBundled === true && hasLetter(options, word);
  if (options.isLoose) return isLoose(options, word);
  return word.startsWith("--") ? isLong(options, word.slice(2)) : isBundle(options, word);
}

/** One letter is a short option. */
function isLoose(options: RefusedOptions, word: string): boolean {
  const [bare = ""] = word.replace(/^-+/, "").split("=", 1);
  const name = bare
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^(?:no-|config\.)+/, "");
  return isBundle(options, bare) || (name.length > 1 && isLong(options, name));
}

/** Programs take any beginning that no other option has: here every beginning counts. */
function isLong({ long = [], harmless = [] }: RefusedOptions, option: string): boolean {
  const [name = ""] = option.split("=", 1);
  return name !== "" && !harmless.includes(name) && long.some((refused) => refused.startsWith(name));
}

function isBundle(options: RefusedOptions, word: string): boolean {
  for (const letter of word) {
    if (options.letters?.includes(letter)) return true;
    if (options.valued?.includes(letter)) return false;
  }
  return false;
}

/** In a bundle without a dash the values are words of their own. */
function hasLetter({ letters = "" }: RefusedOptions, word: string): boolean {
  return Array.from(word).some((letter) => letters.includes(letter));
}
