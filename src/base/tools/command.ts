import { hasUnseen, isPrintableAscii } from "../text.ts";

/**
 * Commands of literal words (SC-7). What is read here is run as an argument vector without a shell, and means the same
 * to a shell: whatever a shell would make something else of is refused.
 */

const longestCommand = 8192;
const mostWords = 256;

/** Operators, expansions, globs, comments, history: outside quotes each is more than itself to some shell. */
const special = new Set("|&;<>(){}$`\\*?[]~#!^");

/** In double quotes these still are. */
const specialInDouble = new Set("$`\\!");

/** Blanks of other scripts: no shell separates words by them, but a reader of the command would think so. */
const otherBlank = /[^\S ]/u;

/** The words of a single simple command, or why it is none. */
export function readCommand(text: string): readonly string[] | string {
  if (Buffer.byteLength(text) > longestCommand) return "the command is too long";
  if (!isPrintableAscii(text) && (hasUnseen(text) || otherBlank.test(text)))
    return "the command has line breaks or characters that are not seen";
  const words = splitWords(text);
  return typeof words === "string" ? words : (refuseFirst(words[0]) ?? words);
}

function splitWords(text: string): string[] | string {
  const words: string[] = [];
  // Null between words: `''` is a word, and an empty one.
  let word: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === " ") {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === "'" || character === '"') {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return "a quote is not closed";
      const quoted = text.slice(at + 1, end);
      const odd = character === '"' ? findIn(quoted, specialInDouble) : undefined;
      if (odd !== undefined) return `\`${odd}\` in double quotes is not literal`;
      word = (word ?? "") + quoted;
      at = end;
    } else {
      if (special.has(character)) return `\`${character}\` outside quotes is not part of a simple command`;
      if (character === "=" && word === null) return "a word that starts with `=` is not literal";
      word = (word ?? "") + character;
    }
  }
  if (word !== null) words.push(word);
  return words.length > mostWords ? "the command has too many words" : words;
}

function findIn(text: string, characters: ReadonlySet<string>): string | undefined {
  for (const character of text) if (characters.has(character)) return character;
  return undefined;
}

/** Assignments (`A=1 git`), options and jobs (`%1`) are no programs. */
const program = /^[A-Za-z0-9_./][A-Za-z0-9_./+@,:-]{0,255}$/;

function refuseFirst(word: string | undefined): string | null {
  if (word === undefined) return "the command is empty";
  if (!program.test(word)) return "the command does not start with the name of a program";
  return ofTheShell.has(word) ? `\`${word}\` is a word of the shell, not a program` : null;
}

/** Keywords and builtins of the common shells that no program stands for: without a shell they would do something else. */
const ofTheShell: ReadonlySet<string> = new Set(
  `if then else elif fi for foreach while until do done case esac in end select function time coproc repeat
   nocorrect noglob . : alias autoload bg bind bindkey break builtin caller cd chdir command compgen complete compopt
   continue declare dirs disown emulate enable eval exec exit export fc fg float getopts hash help history integer jobs
   let limit local logout mapfile popd pushd read readarray readonly rehash return sched set setopt shift shopt source
   suspend times trap type typeset ulimit umask unalias unfunction unhash unlimit unset unsetopt vared wait whence where
   zcompile zle zmodload`.split(/\s+/),
);
