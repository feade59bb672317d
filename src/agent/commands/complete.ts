import { hasUnseen, safeLine } from "../../core/text.ts";
import type { Completion, Completions } from "../agent.ts";
import { type CommandContext, type CompletionExtension, type SlashCommand, whyNotCallable } from "./command.ts";
import { invocationPrefix, longestLine, readInvocation, skipBlanks, writeInvocation } from "./parse-line.ts";
import { skillsWords } from "./skills.ts";

const mostItems = 1_000;

/** AG-6. Every extension whose prefix was typed offers what it has; what does not begin like the line is left out. */
export function completeLine(
  context: Pick<CommandContext, "skills">,
  line: string,
  extensions: readonly CompletionExtension[],
): Completions {
  const nothing = { start: line.length, items: [] };
  if (line.length > longestLine) return nothing;
  const first = skipBlanks(line, 0);
  const { start, stacked } = afterStack(line, first);
  const rest = line.slice(start);
  // Behind a skill only another one can be meant: any other text is for the skill.
  const isAnother = stacked.size > 0 && invocationPrefix.startsWith(fold(rest));
  const typed = isAnother ? invocationPrefix : rest;
  if (!typed.startsWith("/")) return nothing;
  const items = offered(context, fold(typed), extensions)
    .filter(({ text }) => start === first || text.startsWith(invocationPrefix))
    .filter(({ text }) => text !== typed && !stacked.has(text));
  return { start, items: items.slice(0, mostItems).map(({ text, about }) => ({ text, about: safeLine(about, 160) })) };
}

/** What comes with the built-in commands. */
export function usualExtensions(commands: readonly SlashCommand[]): readonly CompletionExtension[] {
  return [
    { prefix: "/", commands: () => commands.map(({ name, about }) => ({ text: name, about })) },
    { prefix: "/skills", commands: skillLines },
    { prefix: "/scope", commands: () => [{ text: "/scope clear", about: "lets go of the skills in force" }] },
    { prefix: "/rules", commands: () => [{ text: "/rules trust", about: "confirms the project's rules" }] },
  ];
}

/** What could not be called is not offered; `/skills` lists it, with the reason. */
function skillLines({ skills }: Pick<CommandContext, "skills">): readonly Completion[] {
  const callable = skills.set.skills.filter((skill) => whyNotCallable(skill) === undefined);
  return [
    ...skillsWords.map(({ word, about }) => ({ text: `/skills ${word}`, about })),
    ...callable.map(({ alias, description }) => ({ text: writeInvocation(alias), about: description })),
  ];
}

/** Where the text after whole invocations begins; the last one is still being typed as long as no blank follows. */
function afterStack(line: string, first: number): { readonly start: number; readonly stacked: ReadonlySet<string> } {
  const stacked = new Set<string>();
  let start = first;
  while (line.startsWith(invocationPrefix, start)) {
    const read = readInvocation(line, start);
    if (typeof read === "string" || read.end === line.length) break;
    stacked.add(line.slice(start, read.end));
    start = skipBlanks(line, read.end);
  }
  return { start, stacked };
}

function offered(
  context: Pick<CommandContext, "skills">,
  typed: string,
  extensions: readonly CompletionExtension[],
): readonly Completion[] {
  const items = new Map<string, Completion>();
  for (const extension of extensions) {
    if (!typed.startsWith(fold(extension.prefix))) continue;
    for (const item of itemsOf(extension, context)) {
      // A line must not get what nobody sees in it (T34).
      const fits = fold(item.text).startsWith(typed) && !hasUnseen(item.text);
      if (fits && !items.has(item.text)) items.set(item.text, item);
    }
  }
  return [...items.values()];
}

/** A host's extension that fails offers nothing, and takes nothing away from the others. */
function itemsOf(extension: CompletionExtension, context: Pick<CommandContext, "skills">): readonly Completion[] {
  try {
    return extension.commands(context);
  } catch {
    return [];
  }
}

/** Without quotes: who types the beginning of a name does not know yet that it has blanks. */
function fold(text: string): string {
  return text.replace(/["\\]/g, "").toLowerCase();
}
