import { AppError } from "../../core/error.ts";
import { hasUnseen, safeLine } from "../../core/text.ts";
import type { ProcessEnd, Processes } from "../../core/world.ts";
import type { HostWord } from "../../scope/gate.ts";
import type { Scope } from "../../scope/scope.ts";
import type { Tool, ToolInput } from "../tool.ts";
import { plainText } from "../fence.ts";
import { argumentReader, inputReader } from "./code-readers.ts";
import { isAbsoluteFolder, objectSchema, optionalText, textOf } from "./inputs.ts";

export interface ExecutorOptions {
  /** What is run. An element that is exactly `{input}` stands for the text; without one it goes to standard input. */
  readonly argv: readonly string[];
  /** Where it runs, absolute. */
  readonly folder: string;
  readonly processes: Processes;
  /** How long it may take: 600,000 without it. */
  readonly milliseconds?: number | undefined;
  /** Bytes that are kept of each output: 262,144 without it. */
  readonly outputBytes?: number | undefined;
  /** The host vouches for every run: nobody is asked, unless `guarded` is among the skills. */
  readonly approved?: boolean | undefined;
}

/** Where the text of a call goes in the arguments of a program. */
const placeholder = "{input}";

const usualMilliseconds = 600_000;
const usualOutputBytes = 256 * 1024;
const longestInstruction = 64 * 1024;
const longestPath = 1024;

/**
 * SC-8: carries out an instruction with the program that the host chose, with the authority that the host gave it. The
 * model has no say in what is run: its text is one argument, or the standard input. A program that would
 * obviously take it for code is refused, as a best effort.
 */
export function executorTool(options: ExecutorOptions): Tool {
  // The host's options are looked at when the tool is made: a model that calls it could do nothing about them.
  const argv = demandProgram(options.argv);
  const { folder } = options;
  if (!isAbsoluteFolder(folder))
    throw new AppError("usage.invalid", `folder: the executor runs in an absolute folder, not ${shownValue(folder)}`);
  const { milliseconds = usualMilliseconds, outputBytes = usualOutputBytes } = options;
  demandCount("milliseconds", milliseconds);
  demandCount("outputBytes", outputBytes);
  return {
    name: "opencode-executor",
    description:
      "Carries out an implementation task with the coding program that the host has set up, and returns what it said. Give one self-contained instruction; name the specification file when there is one.",
    inputSchema: objectSchema(
      {
        instruction: { type: "string", minLength: 1, maxLength: longestInstruction },
        specification: { type: "string", maxLength: longestPath, description: "A path as specKit returned it." },
      },
      ["instruction"],
    ),
    policy: (_call, scope) => wordFor(scope, options.approved === true),
    run: async (input, { signal }) => {
      const text = textFrom(input);
      const started = argv.includes(placeholder)
        ? { argv: withText(argv, text), input: undefined }
        : { argv, input: text };
      const end = await options.processes.run(started.argv, {
        folder,
        milliseconds,
        outputBytes,
        signal,
        input: started.input,
      });
      return report(end, milliseconds);
    },
  };
}

const mostWords = 256;

/** SC-8: a program that the host chose, in full, as a list of its own; what it does with a text is not to run it. */
function demandProgram(given: unknown): readonly string[] {
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

function demandCount(name: string, value: unknown): void {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return;
  throw new AppError("usage.invalid", `${name}: expected a whole number above 0, not ${shownValue(value)}`);
}

function shownValue(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? safeLine(String(value), 240) : "something else";
}

/** SC-9: under `guarded` a person is asked every time. */
function wordFor(scope: Scope | null, isApproved: boolean): HostWord {
  if (scope?.skills.some(({ id, name }) => id === "guarded" || name === "guarded") === true) return "ask-always";
  return isApproved ? "allow" : "ask";
}

function textFrom(input: ToolInput): string {
  const instruction = textOf(input, "instruction", longestInstruction);
  const specification = optionalText(input, "specification", longestPath);
  if (specification === undefined) return instruction;
  demandInside(specification);
  return `${instruction}\n\nThe specification to fulfil is in the file ${specification}`;
}

/** It is only told to the program; what the program can read is up to the host. Still: no path that leads elsewhere. */
function demandInside(path: string): void {
  const segments = path.split("/");
  if (!hasUnseen(path) && !path.includes("\\") && segments.every((segment) => !["", ".", ".."].includes(segment)))
    return;
  throw new AppError(
    "usage.invalid",
    `specification has to be a relative path that stays inside, as specKit returned it; not ${safeLine(path)}`,
  );
}

/** As an argument, text must not be able to become an option of the program. */
function withText(argv: readonly string[], text: string): readonly string[] {
  return argv.map((word, index) => {
    if (word !== placeholder) return word;
    if (text.startsWith("-") && argv[index - 1] !== "--")
      throw new AppError("usage.invalid", "an instruction must not start with a hyphen here; put it into words");
    return text;
  });
}

/** What a model reads. */
function report(end: ProcessEnd, milliseconds: number): string {
  const outcome = outcomeOf(end, milliseconds);
  if (end.code !== 0)
    throw new AppError(end.ended === "timeout" ? "upstream.timeout" : "upstream.invalid", outcome + lastWordsOf(end));
  return [
    outcome,
    ...partOf("Standard output", end.output),
    ...partOf("Standard error", end.errors),
    ...(end.isCut ? ["There was more output than is kept; this is its beginning."] : []),
  ].join("\n\n");
}

const mostLastWords = 400;

/** The message of an error is one line, and short: why a program failed, it mostly says last. */
function lastWordsOf({ output, errors }: ProcessEnd): string {
  const lines = plainText(errors.trim() === "" ? output : errors).split(/[\n\t]/);
  const said = Array.from(
    lines
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(" | "),
  );
  if (said.length === 0) return " It said nothing.";
  const isWhole = said.length <= mostLastWords;
  return ` ${isWhole ? "It said" : "It said last"}: ${said.slice(-mostLastWords).join("")}`;
}

function outcomeOf({ code, ended }: ProcessEnd, milliseconds: number): string {
  if (ended === "timeout") return `The program was ended: it took longer than ${milliseconds} ms.`;
  if (ended === "cancelled") return "The program was ended: the call was cancelled.";
  return code === null ? "The program was ended by a signal." : `The program exited with code ${code}.`;
}

function partOf(title: string, text: string): string[] {
  return text === "" ? [] : [`${title}:\n${plainText(text).trimEnd()}`];
}
