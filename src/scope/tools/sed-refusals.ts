/** Scripts of sed that run a command (`e`) or write to a file (`w`). Best effort, as the other refusals are. */

/** On BSD the next word is the ending of the copies, and mostly empty; elsewhere an empty script does nothing. */
const inPlace = /^-[^-efiI]*i$/;

/** Where the last word is that is refused; -1 when none is. A script that cannot be read is refused. */
export function lastRefusedBySed(words: readonly string[]): number {
  let last = -1;
  let hasScript = false;
  for (let at = 0; at < words.length; at++) {
    if (words[at] === "" && inPlace.test(words[at - 1] ?? "")) continue;
    const { script, isFile, takesNext } = readWord(words[at] ?? "", hasScript);
    if (isFile) last = at;
    // The script itself is what is refused, not the option in front of it.
    if (takesNext) at++;
    if (script !== null && !isHarmless(takesNext ? (words[at] ?? "") : script)) last = at;
    hasScript ||= script !== null;
  }
  return last;
}

interface ReadWord {
  readonly script: string | null;
  /** The script is in a file. */
  readonly isFile?: boolean;
  /** The next word is the value of this one. */
  readonly takesNext?: boolean;
}

const nothing: ReadWord = { script: null };

/** The first word that is no option is the script, unless one was given before it. */
function readWord(word: string, hasScript: boolean): ReadWord {
  if (word === "--" || word === "-") return nothing;
  if (word.startsWith("--")) return readLong(word.slice(2));
  if (word.startsWith("-")) return readBundle(word.slice(1));
  return hasScript ? nothing : { script: word };
}

function readLong(option: string): ReadWord {
  const [name = ""] = option.split("=", 1);
  const value = option.slice(name.length + 1);
  const takesNext = !option.includes("=");
  if ("file".startsWith(name)) return { script: null, isFile: true };
  if ("expression".startsWith(name)) return { script: value, takesNext };
  return "line-length".startsWith(name) ? { script: null, takesNext } : nothing;
}

function readBundle(letters: string): ReadWord {
  const at = letters.search(/[efilI]/);
  const value = letters.slice(at + 1);
  if (letters[at] === "e") return { script: value, takesNext: value === "" };
  if (letters[at] === "f") return { script: null, isFile: true };
  // `-I` is known only on BSD, and has the ending of the copies behind it.
  return letters[at] === "l" || letters[at] === "I" ? { script: null, takesNext: value === "" } : nothing;
}

/** Versions differ in whether `/` ends an expression inside `[/]`: a script has to be harmless either way. */
function isHarmless(script: string): boolean {
  return isReadAsHarmless(script, false) && isReadAsHarmless(script, true);
}

/** One command after the other; a script without line breaks ends with the first text or file name. */
function isReadAsHarmless(script: string, knowsSets: boolean): boolean {
  let at = 0;
  while (true) {
    at = skip(script, at, /[\s;{}]{0,8192}/y);
    at = endOfAddresses(script, at, knowsSets);
    // Nothing more, a comment, or a text or name that goes on to the end.
    if (at >= 0 && /^[#aicrR]?$/.test(script.charAt(at))) return true;
    if (at >= 0) at = endOfCommand(script, at, knowsSets);
    if (at < 0) return false;
  }
}

/** Behind a command that neither runs nor writes anything; -1 for all others. */
function endOfCommand(script: string, at: number, knowsSets: boolean): number {
  const command = script.charAt(at);
  if (command === "s" || command === "y") {
    const delimiter = script.charAt(at + 1);
    const middle = endOfPart(script, at + 2, delimiter, knowsSets && command === "s");
    const end = middle < 0 ? -1 : endOfPart(script, middle, delimiter, false);
    if (end < 0) return -1;
    const behind = command === "s" ? skip(script, end, /[gpiIM0-9]{0,16}/y) : end;
    return /^[\s;}#]?$/.test(script.charAt(behind)) ? behind : -1;
  }
  if ("btT:v".includes(command)) return skip(script, at + 1, /\s{0,64}[^\s;}]{0,8192}/y);
  return "{dDgGhHnNpPxz=FqQlL".includes(command) ? skip(script, at + 1, /\s{0,64}\d{0,16}/y) : -1;
}

/** `1`, `$`, `/a/I`, `\,a,`, one or two of them, and `!` behind. */
function endOfAddresses(script: string, from: number, knowsSets: boolean): number {
  let at = from;
  while (at >= 0 && /[\d$/\\,+~!\s]/.test(script.charAt(at))) {
    const character = script.charAt(at);
    if (character === "/") at = endOfPart(script, at + 1, "/", knowsSets);
    else if (character === "\\") at = endOfPart(script, at + 2, script.charAt(at + 1), knowsSets);
    else at++;
    if (at >= 0 && (character === "/" || character === "\\")) at = skip(script, at, /[IM]{0,4}/y);
  }
  return at;
}

/** Behind the delimiter that ends a part; -1 when nothing does. */
function endOfPart(script: string, from: number, delimiter: string, knowsSets: boolean): number {
  if (delimiter === "" || delimiter === "\\") return -1;
  for (let at = from; at < script.length; at++) {
    const character = script.charAt(at);
    if (character === delimiter) return at + 1;
    if (character === "\\") at++;
    else if (character === "[" && knowsSets) {
      const end = skip(script, at, /\[\^?\]?(?:\[:[a-z]{0,16}:\]|[^\]]){0,4096}\]/y);
      if (end === at) return -1;
      at = end - 1;
    }
  }
  return -1;
}

function skip(script: string, at: number, what: RegExp): number {
  what.lastIndex = at;
  return at + (what.exec(script)?.[0].length ?? 0);
}
