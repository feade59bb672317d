import type { Output } from "./output.ts";

/** Exit codes, the same for every command. */
export const exit = { fine: 0, findings: 1, usage: 2, broken: 3 } as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

interface Option {
  /** As commander writes it: `--profile <name>`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly default?: string;
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
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

type Run = (call: Call, output: Output) => ExitCode | Promise<ExitCode>;

/** A command as the frame knows it: enough for help and completion. Its code is loaded when it runs. */
export interface Command {
  readonly name: string;
  readonly about: string;
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  readonly load: () => Promise<{ run: Run }>;
}
