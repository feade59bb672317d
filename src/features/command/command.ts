import type { Output } from "./output.ts";

/** Exit codes, the same for every command. */
export const exit = { fine: 0, findings: 1, usage: 2, broken: 3 } as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

export interface CommandOption {
  /** As commander writes it: `--profile <name>`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The command cannot do without it. */
  readonly required?: boolean;
  /** May be given several times, one value each: then the values are a list. */
  readonly repeatable?: boolean;
}

interface Argument {
  /** `<path...>`: required, any number. `[shell]`: optional. */
  readonly form: string;
  readonly about: string;
  readonly choices?: readonly string[];
}

/** What a command is given: its arguments in order, its options by name. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export type Run = (call: Call, output: Output) => ExitCode | Promise<ExitCode>;

/**
 * A command: what help and completion say of it, and what it does. What `run` stands on is imported when it runs, so that
 * help loads none of it.
 */
export interface Command {
  readonly name: string;
  readonly about: string;
  readonly arguments: readonly Argument[];
  readonly options: readonly CommandOption[];
  readonly examples: readonly string[];
  readonly run: Run;
}

/** Commands that belong together: `skillward source add`. */
export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
}

export function isGroup(command: Command | CommandGroup): command is CommandGroup {
  return "commands" in command;
}

export const json = { flags: "--json", about: "print the result as JSON" };

const places = [
  { flags: "--config <file>", about: "the configuration file" },
  { flags: "--data <folder>", about: "the data folder" },
];

/** What every command takes that only looks: nothing is refused, so that there is nothing to accept. */
export const lookOptions = [...places, json];

/** What every command takes that opens the store. */
export const storeOptions = [
  ...places,
  { flags: "--accept-rollback", about: "go on with a database that is behind its checkpoint; this is recorded" },
  json,
];
