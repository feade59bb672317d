import { hasUnseen, isPrintableAscii } from "../../core/text.ts";
import { withoutJoiners } from "./tools.ts";

/**
 * Commands of literal words (SC-7). What is read here is run as an argument vector without a shell, and means the same
 * to a shell: whatever a shell would make something else of is refused.
 */

const longestCommand = 8192;
const mostWords = 256;

/** Operators, expansions, globs, comments, history: outside quotes each is more than itself to some shell. */
const special = new Set("|&;<>(){}$`\\*?[]~#!^");

/** Who writes one of these outside quotes mostly means more than one command; the others are often meant literally. */
const operators = new Set("|&;<>`");

/** In double quotes these still are. */
const specialInDouble = new Set("$`\\");

/** Special only where a word starts, and `~` where a value does: `HEAD~1`, `HEAD^`, `issue#12`. */
const literalInside: ReadonlyMap<string, RegExp> = new Map([
  ["~", /[^ '"=:]/],
  ["^", /[^ '"]/],
  ["#", /[^ '"]/],
]);

/** A revision (`stash@{0}`, `@{u}`): no list of alternatives, and so nothing to a shell. */
const revision = /\{(?!\.)(?:[A-Za-z0-9_/:-]|\.(?!\.)){1,64}\}/y;

/** Blanks of other scripts: no shell separates words by them, but a reader of the command would think so. */
const otherBlank = /[^\S ]/u;

const quoted = /'[^']*'|"[^"]*"/g;

/** The words of a single simple command, or why it is none. */
export function readCommand(text: string): readonly string[] | string {
  if (Buffer.byteLength(text) > longestCommand) return "the command is too long";
  if (hasOddCharacters(text)) return "the command has line breaks or characters that are not seen";
  const words = splitWords(text);
  return typeof words === "string" ? words : (refuseFirst(words[0]) ?? words);
}

/** In quotes the wide blank of East Asian texts separates nothing, and emoji are seen. */
function hasOddCharacters(text: string): boolean {
  if (isPrintableAscii(text)) return false;
  const outside = text.replace(quoted, (part) => withoutJoiners(part).replaceAll("\u3000", ""));
  return hasUnseen(outside) || otherBlank.test(outside);
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
      const inside = text.slice(at + 1, end);
      const odd = character === '"' ? findIn(inside, specialInDouble) : undefined;
      if (odd !== undefined) return `\`${odd}\` in double quotes is not literal: put it in single quotes`;
      word = (word ?? "") + inside;
      at = end;
    } else {
      const literal = special.has(character) ? literalAt(text, at) : character;
      if (literal === "") return whySpecial(character);
      if (character === "=" && word === null)
        return "a word that starts with `=` is not literal: put it in single quotes";
      word = (word ?? "") + literal;
      at += literal.length - 1;
    }
  }
  if (word !== null) words.push(word);
  return words.length > mostWords ? "the command has too many words" : words;
}

/** What a special character begins where it is nothing special; empty elsewhere. */
function literalAt(text: string, at: number): string {
  const character = text.charAt(at);
  const before = at === 0 ? " " : text.charAt(at - 1);
  if (literalInside.get(character)?.test(before)) return character;
  if (character !== "{" || before !== "@") return "";
  revision.lastIndex = at;
  return revision.exec(text)?.[0] ?? "";
}

function whySpecial(character: string): string {
  const why = `\`${character}\` outside quotes is not part of a simple command`;
  return operators.has(character) ? why : `${why}: put it in single quotes`;
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
