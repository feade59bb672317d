import { basename } from "node:path/posix";
import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";

/** Where the text of a call goes in the arguments of a program. */
export const placeholder = "{input}";

const mostWords = 256;
const shells = new Set([
  "sh",
  "ash",
  "bash",
  "csh",
  "dash",
  "elvish",
  "fish",
  "ksh",
  "mksh",
  "nu",
  "pwsh",
  "tcsh",
  "zsh",
]);

/** SC-8: a program that the host chose, in full; what it does with a text is not to read it as commands. */
export function demandProgram(argv: readonly string[]): void {
  const [program = ""] = argv;
  if (program.trim() === "") throw refusal("has no program; name one as the first element");
  if (argv.length > mostWords) throw refusal(`has more than ${mostWords} elements`);
  if (argv.some((word) => word.includes("\0"))) throw refusal("has a NUL character");
  if (program === placeholder) throw refusal("must name the program; the text of a call cannot be one");
  const mixed = argv.find((word) => word !== placeholder && word.includes(placeholder));
  if (mixed !== undefined)
    throw refusal(`has ${placeholder} inside of ${safeLine(mixed)}; it has to be an element by itself`);
  if (isReadByShell(argv))
    throw refusal("hands the text of a call to a shell, which would run it; name the program itself");
}

function isReadByShell(argv: readonly string[]): boolean {
  const words = wordsOfShell(argv);
  if (words === undefined) return false;
  const script = words.find((word, index) => !/^[-+]/.test(word) && !valued.has(words[index - 1] ?? ""));
  // What only looks like code counts where code would be refused, and does not where it would excuse.
  if (argv.includes(placeholder)) return script === placeholder || words.some((word) => /^--?[a-z]{0,20}c/i.test(word));
  const hasCode = words.slice(0, -1).some((word) => /^-[A-Za-z]{0,20}c$/.test(word));
  // Without a script or code of its own a shell reads commands from standard input, where the text goes.
  return words.includes("-s") || (script === undefined && !hasCode);
}

/** Options of shells that are followed by a value. */
const valued = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/** Programs that start the one they are given. */
const launchers = new Set([
  "busybox",
  "command",
  "doas",
  "env",
  "exec",
  "nice",
  "nohup",
  "setsid",
  "stdbuf",
  "sudo",
  "time",
  "timeout",
  "xargs",
]);

/** What a shell gets that is started here, by itself or by a launcher. */
function wordsOfShell(argv: readonly string[]): readonly string[] | undefined {
  const isLaunched = launchers.has(basename(argv[0] ?? ""));
  const at = (isLaunched ? argv : argv.slice(0, 1)).findIndex((word) => shells.has(basename(word)));
  return at < 0 ? undefined : argv.slice(at + 1);
}

function refusal(what: string): AppError {
  return new AppError("usage.invalid", `the argument vector of the executor ${what}`);
}
