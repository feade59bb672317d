import type { ProcessEnd, Processes } from "../../core/world.ts";
import type { Tool, ToolInput } from "../tool.ts";
import { countOf, objectSchema, textOf } from "./inputs.ts";
import { plainText } from "../fence.ts";

const longestCommand = 64 * 1024;
const usualSeconds = 120;
const mostSeconds = 600;
/** What is kept of each output while a command runs, and what of it a model is shown from either end. */
const keptBytes = 8 * 1024 * 1024;
const shownCharacters = 24 * 1024;

export interface ShellOptions {
  /** The real path of the workspace: commands run there. */
  readonly root: string;
  /** Gives programs an environment without secrets (T45). */
  readonly processes: Processes;
}

/** AG-7: a command, after a person was asked. One that a pattern let through is run as its words, without a shell (SC-7). */
export function shellTool({ root, processes }: ShellOptions): Tool {
  return {
    name: "shell",
    description:
      "Runs a command in the root of the workspace and returns its exit code and what it printed. It has no terminal and no input, and is ended with all that it started when its time is up.",
    inputSchema: objectSchema(
      {
        command: { type: "string", minLength: 1, maxLength: longestCommand },
        timeout: {
          type: "integer",
          minimum: 1,
          maximum: mostSeconds,
          description: `In seconds; ${usualSeconds} without it.`,
        },
      },
      ["command"],
    ),
    subject: (input) => ({ command: judgedCommand(input) }),
    policy: () => "ask",
    run: async (input, { argv, signal }) => {
      const command = textOf(input, "command", longestCommand);
      const seconds = countOf(input, "timeout", { usual: usualSeconds, most: mostSeconds });
      const end = await processes.run(argv ?? ["/bin/sh", "-c", command], {
        folder: root,
        milliseconds: seconds * 1000,
        outputBytes: keptBytes,
        signal,
      });
      return report(end, seconds);
    },
  };
}

/** What cannot be run is no command to judge: no pattern lets it through, and running it says what is wrong. */
function judgedCommand(input: ToolInput): string | undefined {
  try {
    return textOf(input, "command", longestCommand);
  } catch {
    return undefined;
  }
}

/** A command that fails is an answer like any other: what it said is what the model needs to see. */
function report(end: ProcessEnd, seconds: number): string {
  const said = [...partOf("Standard output", end.output), ...partOf("Standard error", end.errors)];
  return [
    outcomeOf(end, seconds),
    ...(said.length === 0 ? ["It printed nothing."] : said),
    ...(end.isCut ? [`[it printed more than the ${keptBytes} bytes that are kept: the rest is not known]`] : []),
  ].join("\n\n");
}

function outcomeOf({ code, ended }: ProcessEnd, seconds: number): string {
  if (ended === "timeout") return `Timeout: the command was ended after ${seconds} s, with all that it started.`;
  if (ended === "cancelled") return "The command was ended: the call was cancelled.";
  return code === null ? "The command was ended by a signal." : `Exit code ${code}.`;
}

function partOf(title: string, text: string): string[] {
  return text === "" ? [] : [`${title}:\n${headAndTail(text)}`];
}

/** What went wrong stands mostly at the beginning or at the end. */
function headAndTail(text: string): string {
  const left = text.length - 2 * shownCharacters;
  if (left <= 0) return plainText(text).trimEnd();
  const [head, tail] = [text.slice(0, shownCharacters), text.slice(-shownCharacters)];
  return `${plainText(head.toWellFormed())}\n[${left} characters are left out here]\n${plainText(tail.toWellFormed()).trimEnd()}`;
}
