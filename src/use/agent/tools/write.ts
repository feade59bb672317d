import { safeLine } from "../../../base/text.ts";
import type { Tool } from "../tool.ts";
import { wordOnWriting } from "./protected-paths.ts";
import { demandWritable, withSkillNotes, type Workspace, writeText } from "./workspace-file.ts";
import { contentOf } from "./workspace-input.ts";
import { findPlaceToWrite, judgedPath, pathFrom } from "./workspace-path.ts";

/** AG-7: a whole file. Whether it can be run stays as it was. */
export function writeTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "write",
    description:
      "Writes a whole file of the workspace, over the one that is there; folders are made as needed. To change a part of a file, use replace or patch.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "From the root of the workspace." },
        content: { type: "string", description: "All that will be in the file." },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
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
