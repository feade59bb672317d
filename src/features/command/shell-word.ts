import { hasUnseen } from "../../core/text.ts";

/**
 * A word of a command that a person may copy. The folder names that ids are made of are the publisher's: no shell may
 * read more into them than a word, and nothing unseen comes along.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!hasUnseen(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = Array.from(word.replaceAll(/[\\']/g, String.raw`\$&`), (char) =>
    hasUnseen(char) ? escape(char) : char,
  );
  return `$'${escaped.join("")}'`;
}

/** As bash, zsh and ksh read it. */
function escape(char: string): string {
  return `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
