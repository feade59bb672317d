import { AppError } from "../../core/error.ts";
import { nearestFew } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import type { Completions } from "../agent.ts";
import {
  type CommandContext,
  type CommandResult,
  type CompletionExtension,
  refuse,
  showInvocation,
  type SlashCommand,
} from "./command.ts";
import { completeLine, usualExtensions } from "./complete.ts";
import { clearCommand, compactCommand, contextCommand, createHelp, exitCommand, newCommand } from "./conversation.ts";
import { invokeSkills } from "./invoke.ts";
import { parseLine } from "./parse-line.ts";
import { scopeCommand, toolsCommand } from "./scope.ts";
import { routeCommand, skillsCommand } from "./skills.ts";
import { rulesCommand } from "./skills-trust.ts";
import { spawnCommand } from "./spawn.ts";

/** What every door does with a line, in the same way (AG-5, AG-6). */
export interface Commands {
  /** Never rejects: what fails is a reply that says why. */
  readonly run: (context: CommandContext, line: string, signal: AbortSignal) => Promise<CommandResult>;
  readonly complete: (context: Pick<CommandContext, "skills">, line: string) => Completions;
}

const usual: readonly SlashCommand[] = [
  skillsCommand,
  contextCommand,
  routeCommand,
  spawnCommand,
  scopeCommand,
  toolsCommand,
  rulesCommand,
  newCommand,
  clearCommand,
  compactCommand,
  exitCommand,
];

/** Known by habit; neither listed nor completed. */
const byHabit: ReadonlyMap<string, SlashCommand> = new Map([["/quit", exitCommand]]);

/** The built-in commands and a host's own. Throws `usage.invalid` for a name that is taken or is none. */
export function createCommands(
  extra: readonly SlashCommand[] = [],
  extensions: readonly CompletionExtension[] = [],
): Commands {
  const listed: readonly SlashCommand[] = [createHelp(() => listed), ...usual, ...extra];
  const byName = new Map(byHabit);
  for (const command of listed) addCommand(byName, command);
  const all = [...usualExtensions(listed), ...extensions];
  return {
    run: (context, line, signal) => runLine(context, line, signal, byName),
    complete: (context, line) => completeLine(context, line, all),
  };
}

const commandName = /^\/[a-z][a-z0-9-]{0,63}$/;

function addCommand(byName: Map<string, SlashCommand>, command: SlashCommand): void {
  const { name } = command;
  const shown = `"${safeLine(name, 80)}"`;
  if (!commandName.test(name))
    throw new AppError("usage.invalid", `${shown} is no name of a command: a slash, then a to z, digits and hyphens`);
  if (byName.has(name))
    throw new AppError("usage.invalid", `there is a command ${shown} already: give it another name`);
  byName.set(name, command);
}

async function runLine(
  context: CommandContext,
  line: string,
  signal: AbortSignal,
  byName: ReadonlyMap<string, SlashCommand>,
): Promise<CommandResult> {
  const read = parseLine(line);
  try {
    switch (read.is) {
      case "message":
        return { is: "message", text: read.text, invocations: [] };
      case "fault":
        return refuse(read.why);
      case "invocation":
        return await invokeSkills(context, read.names, read.args, signal);
      case "command":
        return await runCommand(context, read, signal, byName);
    }
  } catch (error) {
    if (signal.aborted) return refuse("cancelled");
    // Only errors of our own are quoted: what others say may hold a secret.
    if (error instanceof AppError) return refuse(safeLine(error.message, 320));
    return refuse("the command failed by a fault of its own");
  }
}

async function runCommand(
  context: CommandContext,
  { name, rest }: { readonly name: string; readonly rest: string },
  signal: AbortSignal,
  byName: ReadonlyMap<string, SlashCommand>,
): Promise<CommandResult> {
  const command = byName.get(name);
  if (command === undefined)
    return refuse(`there is no command ${safeLine(name, 80)}; ${meant(context, name, byName)}`);
  if (command.usage === "" && rest !== "") return refuse(`${name} takes nothing after its name`);
  return await command.run(context, rest, signal);
}

const mostNear = 3;

/** A skill of that name comes first: elsewhere skills are called without a prefix. */
function meant({ skills }: CommandContext, name: string, byName: ReadonlyMap<string, SlashCommand>): string {
  const found = skills.find(name.slice(1));
  const skill = found.is === "one" ? [showInvocation(found.skill.alias)] : [];
  const near = [...skill, ...nearestFew(name, [...byName.keys()], mostNear)].slice(0, mostNear);
  return near.length === 0 ? "/help lists those there are" : `did you mean ${near.join(", ")}?`;
}
