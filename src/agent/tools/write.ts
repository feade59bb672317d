import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Tool } from "../tool.ts";
import { wordOnWriting } from "./protected-paths.ts";
import { contentOf, isSet, objectSchema } from "./inputs.ts";
import {
  demandWritable,
  mostFileBytes,
  readText,
  withSkillNotes,
  type Workspace,
  writeText,
  findPlaceToWrite,
  judgedPath,
  pathFrom,
} from "./workspace-file.ts";

/** AG-7: a whole file. Whether it can be run stays as it was. */
export function writeTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "write",
    description:
      "Writes a whole file of the workspace, over the one that is there; folders are made as needed. To change a part of a file, use replace or patch.",
    inputSchema: objectSchema(
      {
        path: { type: "string", minLength: 1, description: "From the root of the workspace." },
        content: { type: "string", description: "All that will be in the file." },
      },
      ["path", "content"],
    ),
    subject: (input) => ({ paths: [judgedPath(root, input)] }),
    policy: wordOnWriting(workspace),
    run: async (input, { signal }) => {
      const content = contentOf(input, "content");
      const place = await findPlaceToWrite(workspace, pathFrom(root, input));
      demandWritable(place);
      signal.throwIfAborted();
      await writeText(workspace, place, content);
      const what = place.kind === "nothing" ? "It is new" : "It replaces what was there";
      const answer = `Wrote ${safeLine(place.path, 240)}: ${Buffer.byteLength(content)} bytes. ${what}.`;
      return withSkillNotes(workspace, [place], answer);
    },
  };
}

/** AG-7: one text in a file by another one. Where it would have to guess which one is meant, it does nothing. */
export function replaceTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "replace",
    description:
      "Replaces a text in a file of the workspace. The old text has to occur exactly once, letter by letter, unless all is true.",
    inputSchema: objectSchema(
      {
        path: { type: "string", minLength: 1, description: "From the root of the workspace." },
        old: { type: "string", minLength: 1, description: "As it stands in the file, without line numbers." },
        new: { type: "string" },
        all: { type: "boolean", description: "Wherever it occurs." },
      },
      ["path", "old", "new"],
    ),
    subject: (input) => ({ paths: [judgedPath(root, input)] }),
    policy: wordOnWriting(workspace),
    run: async (input, { signal }) => {
      const [old, by, all] = [contentOf(input, "old"), contentOf(input, "new"), isSet(input, "all")];
      if (old === "") throw new AppError("usage.invalid", "old is empty; give the text that is to be replaced");
      if (old === by) throw new AppError("usage.invalid", "old and new are the same: nothing would change");
      const place = await findPlaceToWrite(workspace, pathFrom(root, input));
      const text = await readText(workspace, place);
      const parts = text.split(old);
      demandOccurrences(place.path, text, old, parts, all);
      // Before it is built: a letter by a long text, wherever it occurs, may be more than fits into memory.
      const growth = (parts.length - 1) * (Buffer.byteLength(by) - Buffer.byteLength(old));
      if (Buffer.byteLength(text) + growth > mostFileBytes)
        throw new AppError(
          "usage.invalid",
          `the file would have more than ${mostFileBytes} bytes; nothing was replaced`,
        );
      signal.throwIfAborted();
      await writeText(workspace, place, parts.join(by));
      const [count, lines] = [parts.length - 1, linesOf(parts, old)];
      const answer = `Replaced ${count === 1 ? "it" : `${count} occurrences`} in ${safeLine(place.path, 240)}, ${lines}.`;
      return withSkillNotes(workspace, [place], answer);
    },
  };
}

function demandOccurrences(path: string, text: string, old: string, parts: readonly string[], all: boolean): void {
  const shown = safeLine(path, 240);
  if (parts.length === 1) {
    const isAboutEnds = text.includes("\r\n") && old.includes("\n") && !old.includes("\r\n");
    const hint = isAboutEnds ? "; its lines end with CRLF" : "; read it again, and give the text as it stands there";
    throw new AppError("usage.invalid", `old does not occur in ${shown}${hint}`);
  }
  if (parts.length > 2 && !all)
    throw new AppError(
      "usage.invalid",
      `old occurs ${parts.length - 1} times in ${shown} (${linesOf(parts, old)}); give more of what stands around it, or all`,
    );
}

const mostLinesSaid = 10;

/** Where the occurrences begin, as the file was before. */
function linesOf(parts: readonly string[], old: string): string {
  const inOld = countBreaks(old);
  const lines: number[] = [];
  let line = 1;
  for (const part of parts.slice(0, Math.min(parts.length - 1, mostLinesSaid))) {
    line += countBreaks(part);
    lines.push(line);
    line += inOld;
  }
  const more = parts.length - 1 > mostLinesSaid ? ", …" : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
