import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import { fitsFile, readPathPattern } from "../../../base/tools/paths.ts";
import type { Tool, ToolInput } from "../tool.ts";
import { optionalText } from "./inputs.ts";
import { type Effort, LinearPattern } from "./linear-pattern.ts";
import { compilePattern } from "./pattern-program.ts";
import { wordOnReading } from "./protected-paths.ts";
import { searchFiles, type Sought } from "./search-files.ts";
import type { Workspace } from "./workspace-file.ts";
import { findPlace, judgedPath, pathFrom } from "./workspace-path.ts";

const longestText = 4096;
const longestGlob = 1024;
/** Some seconds, at the very worst. */
const mostEffort = 100_000_000;

/** AG-7: lines of files that hold a text, or that a regular expression fits. */
export function searchTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "search",
    description:
      "Searches the text files of the workspace line by line, for a text as it is or for a regular expression (without look-around and back references). Returns path:line: excerpt.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, description: "Found letter by letter." },
        pattern: { type: "string", minLength: 1, description: "A regular expression; instead of text." },
        path: { type: "string", description: "A folder or a file, from the root of the workspace; all without it." },
        glob: { type: "string", description: "Which files: *.ts for names, src/**/*.ts for paths from the root." },
      },
      additionalProperties: false,
    },
    subject: (input) => ({ paths: [judgedPath(root, input, ".")] }),
    policy: wordOnReading(workspace),
    run: async (input, { signal }) => {
      const sought = { ...soughtIn(input), fitsPath: globIn(input) };
      const place = await findPlace(workspace, pathFrom(root, input, "."));
      return searchFiles(workspace, place, sought, signal);
    },
  };
}

function soughtIn(input: ToolInput): Omit<Sought, "fitsPath"> {
  const text = optionalText(input, "text", longestText);
  const pattern = optionalText(input, "pattern", longestText);
  if ((text === undefined) === (pattern === undefined))
    throw new AppError("usage.invalid", "give either text or pattern, and not both");
  if (text !== undefined) return soughtText(text);
  const program = compilePattern(pattern ?? "");
  if (typeof program === "string")
    throw new AppError("usage.invalid", `the pattern cannot be searched for: ${safeLine(program)}`);
  const linear = new LinearPattern(program);
  const effort: Effort = { left: mostEffort };
  return { mayBeIn: () => true, endIn: (line) => linear.find(line, effort), isSpent: () => effort.left < 0 };
}

function soughtText(text: string): Omit<Sought, "fitsPath"> {
  if (/[\r\n]/.test(text))
    throw new AppError("usage.invalid", "text has a line break, and lines are searched one by one");
  const endIn = (line: string) => {
    const at = line.indexOf(text);
    return at < 0 ? -1 : at + text.length;
  };
  return { mayBeIn: (whole) => whole.includes(text), endIn, isSpent: () => false };
}

/** A glob without a folder is about names, wherever they are. */
function globIn(input: ToolInput): Sought["fitsPath"] {
  const glob = optionalText(input, "glob", longestGlob);
  if (glob === undefined) return () => true;
  const segments = readPathPattern(glob.includes("/") ? glob : `**/${glob}`);
  if (typeof segments === "string") throw new AppError("usage.invalid", `the glob cannot be used: ${segments}`);
  return (path) => fitsFile(segments, path.split("/"));
}
