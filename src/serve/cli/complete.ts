import { type Command, type ExitCode, exit } from "./command.ts";
import { commands } from "./commands.ts";
import type { Output } from "./output.ts";

/** What can stand at the end of a command line: words to choose from, and whether a path may stand there too. */
export interface Completion {
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly paths: boolean;
}

/** Answers a completion script: `word<Tab>about` lines, then `:paths` where a path may stand. */
export function answer(words: readonly string[], output: Output): ExitCode {
  const completion = completionOf(words, commands);
  for (const { word, about } of completion.words) output.print(`${word}\t${about}`);
  if (completion.paths) output.print(":paths");
  return exit.fine;
}

/** The last of `words` is the one being typed. Bash hands `--a=b` over as three words. */
export function completionOf(words: readonly string[], known: readonly Command[]): Completion {
  const typed = words.filter((word, index) => word !== "=" || index === words.length - 1).flatMap(splitAssignment);
  const current = typed.at(-1) ?? "";
  const command = known.find(({ name }) => typed.length > 1 && name === typed[0]);
  if (command === undefined) {
    const names = known.map(({ name, about }) => ({ word: name, about }));
    return { words: typed.length > 1 ? [] : startingWith(current, names), paths: false };
  }
  return completeCommand(command, current, typed.at(-2) ?? "");
}

function splitAssignment(word: string): string[] {
  const equals = word.indexOf("=");
  if (word === "=") return [""];
  return word.startsWith("--") && equals > 0 ? [word.slice(0, equals), word.slice(equals + 1)] : [word];
}

function completeCommand(command: Command, current: string, previous: string): Completion {
  const option = command.options.find(({ flags }) => flags.split(" ")[0] === previous);
  if (option?.flags.includes("<") === true)
    return { words: startingWith(current, choicesOf(option)), paths: option.choices === undefined };
  if (current.startsWith("-")) {
    const flags = command.options.map(({ flags: all, about }) => ({ word: all.split(" ")[0] ?? "", about }));
    return { words: startingWith(current, flags), paths: false };
  }
  const argument = command.arguments.at(-1);
  const paths = argument !== undefined && argument.choices === undefined;
  return { words: startingWith(current, choicesOf(argument)), paths };
}

function choicesOf(from: { readonly choices?: readonly string[]; readonly about: string } | undefined) {
  return (from?.choices ?? []).map((word) => ({ word, about: from?.about ?? "" }));
}

function startingWith(start: string, words: Completion["words"]): Completion["words"] {
  return words.filter(({ word }) => word.startsWith(start));
}
