import { type Command, type ExitCode, exit, isGroup } from "../features/command/command.ts";
import { commands } from "./commands.ts";
import type { Output } from "../features/command/output.ts";

/** What can stand at the end of a command line: words to choose from, and whether a path may stand there too. */
export interface Completion {
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly paths: boolean;
}

/** Answers a completion script: `word<Tab>about` lines, then `:paths` where a path may stand. */
export async function answer(words: readonly string[], output: Output): Promise<ExitCode> {
  const completion = await completionOf(words);
  for (const { word, about } of completion.words) output.print(`${word}\t${about}`);
  if (completion.paths) output.print(":paths");
  return exit.fine;
}

/** The last of `words` is the one being typed. Bash hands `--a=b` over as three words. */
export async function completionOf(words: readonly string[]): Promise<Completion> {
  const typed = words.filter((word, index) => word !== "=" || index === words.length - 1).flatMap(splitAssignment);
  const entry = commands.find(({ name }) => typed.length > 1 && name === typed[0]);
  if (entry === undefined) return completeName(typed, commands);
  const named = await entry.load();
  if (!isGroup(named)) return completeCommand(named, typed.slice(1, -1), typed.at(-1) ?? "");
  const below = typed.slice(1);
  const command = named.commands.find(({ name }) => below.length > 1 && name === below[0]);
  if (command === undefined) return completeName(below, named.commands);
  return completeCommand(command, below.slice(1, -1), below.at(-1) ?? "");
}

/** Nothing is offered after a name that no command has. */
function completeName(typed: readonly string[], known: readonly Pick<Command, "name" | "about">[]): Completion {
  const names = known.map(({ name, about }) => ({ word: name, about }));
  return { words: typed.length > 1 ? [] : startingWith(typed.at(-1) ?? "", names), paths: false };
}

function splitAssignment(word: string): string[] {
  const equals = word.indexOf("=");
  if (word === "=") return [""];
  return word.startsWith("--") && equals > 0 ? [word.slice(0, equals), word.slice(equals + 1)] : [word];
}

/** `before`: the words between the command and the one being typed. */
function completeCommand(command: Command, before: readonly string[], current: string): Completion {
  const option = valueOption(command, before.at(-1));
  if (option !== undefined) return offered(current, option, option.flags);
  if (current.startsWith("-")) {
    const flags = command.options.map(({ flags: all, about }) => ({ word: all.split(" ")[0] ?? "", about }));
    return { words: startingWith(current, flags), paths: false };
  }
  const argument = argumentAt(command, before);
  return offered(current, argument, argument?.form ?? "");
}

function valueOption({ options }: Command, flag: string | undefined) {
  return options.find(({ flags }) => flags.includes("<") && flags.split(" ")[0] === flag);
}

/** The argument whose turn it is; the last one may stand any number of times. */
function argumentAt(command: Command, before: readonly string[]) {
  const isValue = (index: number) => valueOption(command, before[index - 1]) !== undefined;
  const place = before.filter((word, index) => !word.startsWith("-") && !isValue(index)).length;
  const last = command.arguments.at(-1);
  return command.arguments[place] ?? (last?.form.includes("...") === true ? last : undefined);
}

/** Paths only where one is asked for: an id is not a file that happens to lie here. */
function offered(current: string, from: Parameters<typeof choicesOf>[0], form: string): Completion {
  return { words: startingWith(current, choicesOf(from)), paths: /[<[](?:path|file|folder|source)\b/.test(form) };
}

function choicesOf(from: { readonly choices?: readonly string[]; readonly about: string } | undefined) {
  return (from?.choices ?? []).map((word) => ({ word, about: from?.about ?? "" }));
}

function startingWith(start: string, words: Completion["words"]): Completion["words"] {
  return words.filter(({ word }) => word.startsWith(start));
}
