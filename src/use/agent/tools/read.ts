import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { Tool } from "../tool.ts";
import { wordOnReading } from "./protected-paths.ts";
import { readText, type Workspace } from "./workspace-file.ts";
import { countOf } from "./workspace-input.ts";
import { findPlace, judgedPath, pathFrom } from "./workspace-path.ts";

const usualLines = 2000;
const mostLines = 20_000;
/** A little below what an answer may have (256 KiB): the note on what was cut must not be cut itself. */
const mostBytes = 254 * 1024;
const longestLine = 64 * 1024;

/** AG-7: a text file with the numbers of its lines. */
export function readTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "read",
    description:
      "Reads a text file of the workspace. Each line comes with its number and a tab before it, which are no part of the file.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "From the root of the workspace." },
        from: { type: "integer", minimum: 1, description: "The first line to show; 1 without it." },
        lines: { type: "integer", minimum: 1, maximum: mostLines, description: `${usualLines} without it.` },
      },
      required: ["path"],
      additionalProperties: false,
    },
    subject: (input) => ({ paths: [judgedPath(root, input)] }),
    policy: wordOnReading(workspace),
    run: async (input) => {
      const from = countOf(input, "from", { usual: 1, most: Number.MAX_SAFE_INTEGER });
      const most = countOf(input, "lines", { usual: usualLines, most: mostLines });
      const place = await findPlace(workspace, pathFrom(root, input));
      return numbered(place.path, await readText(workspace, place), from, most);
    },
  };
}

function numbered(path: string, text: string, from: number, most: number): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (from > lines.length)
    throw new AppError("usage.invalid", `${safeLine(path, 240)} has ${lines.length} lines; none is number ${from}`);
  const rows: string[] = [];
  const notes: string[] = [];
  let [bytes, next] = [0, from];
  for (const line of lines.slice(from - 1, from - 1 + most)) {
    const row = `${next}\t${line.slice(0, longestLine).toWellFormed()}`;
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > mostBytes) break;
    rows.push(row);
    if (line.length > longestLine && notes.length < 3)
      notes.push(`[line ${next} is cut: ${longestLine} of its ${line.length} characters are shown]`);
    next++;
  }
  if (next <= lines.length)
    notes.push(`[lines ${from} to ${next - 1} of ${lines.length} are shown; go on with "from": ${next}]`);
  if (text.includes("\r\n")) notes.push("[lines of this file end with CRLF]");
  return [...rows, ...notes].join("\n");
}
