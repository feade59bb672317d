import { Argument, Command as CommanderCommand, CommanderError, Option } from "commander";
import { AppError, type ErrorCode } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import {
  type Call,
  type Command,
  type CommandGroup,
  type CommandOption,
  type ExitCode,
  exit,
  isGroup,
} from "../features/command/command.ts";
import type { Output } from "../features/command/output.ts";
import { createOutput } from "./output.ts";
import { type CommandEntry, commands, loadCommands } from "./commands.ts";

/** Runs one command line and says how it ended. Never throws, never shows a stack to a user. */
export async function main(argv: readonly string[], version: string): Promise<ExitCode> {
  const output = createOutput();
  // Asked by the completion scripts at every Tab; not a command of its own.
  if (argv[0] === "complete")
    return (await import("./complete.ts")).answer(argv.slice(argv[1] === "--" ? 2 : 1), output);
  try {
    return await runCommand(argv, version, output);
  } catch (error) {
    return explain(error, argv.includes("--json"), output);
  }
}

async function runCommand(argv: readonly string[], version: string, output: Output): Promise<ExitCode> {
  let code: ExitCode = exit.fine;
  const program = createProgram(version, output);
  const runLoaded = async (command: Command, call: Call) => {
    code = await command.run(call, output);
  };
  for (const command of await commandsFor(argv, output, runLoaded)) program.addCommand(command);
  if (argv.length === 0) program.outputHelp();
  else await program.parseAsync([...argv], { from: "user" });
  return argv.length === 0 ? exit.usage : code;
}

/** The one that was typed; loading and building all of them takes longer than running most. */
async function commandsFor(argv: readonly string[], output: Output, act: Act): Promise<readonly CommanderCommand[]> {
  const toAny = (command: Command | CommandGroup) =>
    isGroup(command) ? toGroup(command, output, act) : toCommander(command, output, act);
  const [typed] = argv;
  const entry = commands.find(({ name }) => name === typed);
  if (entry !== undefined) return [toAny(await entry.load())];
  // The help of the program and a wrong name show what the table says; behind an option any command may still come.
  const isOfProgram = argv.length <= 1 || !typed?.startsWith("-");
  return isOfProgram ? commands.map((each) => toLine(each, output)) : (await loadCommands()).map(toAny);
}

/** A command as the help of the program lists it. */
function toLine({ name, takes, about }: CommandEntry, output: Output): CommanderCommand {
  const made = configured(new CommanderCommand(name), output).description(about).helpCommand(false);
  // Every command takes options; a group, which takes nothing, has none.
  if (takes === undefined) return made;
  return (takes === "" ? made : made.arguments(takes)).option("--json");
}

function createProgram(version: string, output: Output): CommanderCommand {
  return configured(new CommanderCommand("skillward"), output)
    .description("Agent Skills, from where they come from to the exact bytes in a prompt.")
    .version(version, "-V, --version", "print the version")
    .helpCommand(false)
    .addHelpText("after", `\n${exitCodes}`);
}

const exitCodes = `Exit codes:
  0  fine
  1  findings, or a gate that failed
  2  wrong usage
  3  a broken world: disk, network, an error of ours`;

type Act = (command: Command, call: Call) => Promise<void>;

function toGroup(group: CommandGroup, output: Output, act: Act): CommanderCommand {
  const made = configured(new CommanderCommand(group.name), output).description(group.about).helpCommand(false);
  for (const command of group.commands) made.addCommand(toCommander(command, output, act));
  return made;
}

function toCommander(command: Command, output: Output, act: Act): CommanderCommand {
  const made = configured(new CommanderCommand(command.name), output).description(command.about);
  for (const { form, about, choices } of command.arguments) {
    const argument = new Argument(form, about);
    made.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of command.options) made.addOption(toOption(option));
  const examples = command.examples.map((example) => `  $ ${example}`).join("\n");
  return made
    .addHelpText("after", `\nExamples:\n${examples}`)
    .action(() => act(command, { args: made.args, options: made.opts() }));
}

function toOption({ flags, about, choices, default: preset, required, repeatable }: CommandOption): Option {
  const option = new Option(flags, required === true ? `${about} (required)` : about);
  option.makeOptionMandatory(required === true);
  if (choices !== undefined) option.choices(choices);
  // One value each time: commander's `<value...>` would swallow the arguments behind it.
  if (repeatable === true)
    option.argParser<unknown>((value, before) => (Array.isArray(before) ? [...before, value] : [value]));
  return preset === undefined ? option : option.default(preset);
}

function configured(command: CommanderCommand, output: Output): CommanderCommand {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError("(add --help for what is possible)")
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) =>
        output.note(
          text
            .trimEnd()
            .split("\n")
            .map((line) => safeLine(line, 500))
            .join("\n"),
        ),
    });
}

/** From the closed codes to exit codes: the one table of this door. */
const exitOf: Readonly<Record<ErrorCode, ExitCode>> = {
  "usage.invalid": exit.usage,
  "path.missing": exit.usage,
  "path.wrong-kind": exit.usage,
  "disk.failed": exit.broken,
  "config.invalid": exit.usage,
  "keys.unusable": exit.broken,
  "store.failed": exit.broken,
  "store.newer": exit.broken,
  "store.older": exit.broken,
  "store.rolled-back": exit.broken,
  "record.missing": exit.usage,
  "record.exists": exit.usage,
  "record.in-use": exit.usage,
  "sync.running": exit.findings,
  "sync.superseded": exit.findings,
  "sync.fingerprint": exit.findings,
  "source.missing": exit.usage,
  "source.refused": exit.usage,
  "source.limited": exit.broken,
  "source.frozen": exit.findings,
  "digest.mismatch": exit.findings,
  "review.stale": exit.findings,
  "review.refused": exit.findings,
  "entry.unusable": exit.findings,
  "scope.readonly": exit.usage,
  "auth.failed": exit.usage,
  "auth.forbidden": exit.usage,
  "egress.refused": exit.usage,
  "upstream.unreachable": exit.broken,
  "upstream.timeout": exit.broken,
  "upstream.refused": exit.broken,
  "upstream.invalid": exit.broken,
  "model.refused": exit.usage,
  "budget.exceeded": exit.findings,
  "host.refused": exit.usage,
  "request.too-large": exit.usage,
  "request.too-many": exit.broken,
};

/** Commander has already said it in its own words; help and version end here too. */
function explainUsage(error: CommanderError, asJson: boolean, output: Output): ExitCode {
  if (error.exitCode === 0) return exit.fine;
  const message = safeLine(error.message.replace(/^error: /, ""), 500);
  if (asJson) output.print(JSON.stringify({ error: { code: "usage.invalid", message } }, null, 2));
  return exit.usage;
}

function explain(error: unknown, asJson: boolean, output: Output): ExitCode {
  if (error instanceof CommanderError) return explainUsage(error, asJson, output);
  const known = error instanceof AppError;
  const code = known ? error.code : "internal";
  const message = error instanceof Error ? error.message : String(error);
  if (asJson) output.print(JSON.stringify({ error: { code, message } }, null, 2));
  else output.note(`${output.style("red", "error")} ${known ? "" : "unexpected: "}${message}`);
  if (!known && !output.debug) output.note("This is a fault of Skillward. SKILLWARD_DEBUG=1 shows where it happened.");
  if (output.debug && error instanceof Error) output.note(error.stack ?? "");
  return known ? exitOf[error.code] : exit.broken;
}
