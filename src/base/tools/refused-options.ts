/** Options of a program that a pattern naming it does not mean. */
export interface RefusedOptions {
  /** Long ones, without their dashes: also abbreviated, and with a value behind `=`. */
  readonly long?: readonly string[];
  /** Long ones that are the beginning of a refused one, and harmless. */
  readonly harmless?: readonly string[];
  /** The program takes its long options behind one dash too. */
  readonly isOneDashLong?: boolean;
  /** Of one letter, also bundled with others. */
  readonly letters?: string;
  /** Letters that take the rest of a bundle as their value. */
  readonly valued?: string;
  /** The first word is a bundle without a dash: `tar xIf`. */
  readonly isFirstBundled?: boolean;
  /** Whole words of other shapes. */
  readonly words?: RegExp;
  /** What follows `--` is never an option; elsewhere `--` can be the value of one, and nothing ends there. */
  readonly endsAtDashes?: boolean;
}

/** The first word that is refused. */
export function findOption(options: RefusedOptions, words: readonly string[]): string | undefined {
  const end = options.endsAtDashes ? words.indexOf("--") : -1;
  return words.find((word, at) => (end < 0 || at < end) && isRefused(options, word, at === 0));
}

function isRefused(options: RefusedOptions, word: string, isFirst: boolean): boolean {
  if (options.words?.test(word)) return true;
  if (word.startsWith("--")) return isLong(options, word.slice(2));
  if (word.startsWith("-")) return isBundle(options, word) || isOneDashLong(options, word.slice(1));
  return isFirst && options.isFirstBundled === true && hasLetter(options, word);
}

/** Programs take any beginning that no other option has: here every beginning counts. */
function isLong({ long = [], harmless = [] }: RefusedOptions, option: string): boolean {
  const [name = ""] = option.split("=", 1);
  return name !== "" && !harmless.includes(name) && long.some((refused) => refused.startsWith(name));
}

/** One or two letters behind one dash are short options. */
function isOneDashLong(options: RefusedOptions, option: string): boolean {
  return options.isOneDashLong === true && option.length > 2 && isLong(options, option);
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
