import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import { argumentReader, inputReader } from "./code-readers.ts";

/** Where the text of a call goes in the arguments of a program. */
export const placeholder = "{input}";

const mostWords = 256;

/** SC-8: a program that the host chose, in full, as a list of its own; what it does with a text is not to run it. */
export function demandProgram(given: unknown): readonly string[] {
  if (!Array.isArray(given))
    throw refusal(
      'has to be a list of texts, such as ["opencode", "run", "{input}"]; no shell splits a text into words',
    );
  const words: readonly unknown[] = given;
  if (words.length > mostWords) throw refusal(`has more than ${mostWords} elements`);
  const argv = words.filter((word) => typeof word === "string");
  if (argv.length !== given.length) throw refusal("has an element that is no text; write numbers as texts");
  demandWords(argv);
  return Object.freeze(argv);
}

function demandWords(argv: readonly string[]): void {
  const [program = ""] = argv;
  if (program.trim() === "") throw refusal("has no program; name one as the first element");
  if (argv.some((word) => word.includes("\0"))) throw refusal("has a NUL character");
  if (program === placeholder) throw refusal("must name the program; the text of a call cannot be one");
  const mixed = argv.find((word) => word !== placeholder && word.includes(placeholder));
  if (mixed !== undefined)
    throw refusal(`has ${placeholder} inside of ${safeLine(mixed)}; it has to be an element by itself`);
  const reader = argv.includes(placeholder) ? argumentReader(argv, placeholder) : inputReader(argv);
  if (reader !== undefined)
    throw refusal(
      `hands the text of a call to ${safeLine(reader)}, which would run it; name a program that takes it as text`,
    );
}

function refusal(what: string): AppError {
  return new AppError("usage.invalid", `the argument vector of the executor (\`argv\`) ${what}`);
}
