import { z } from "zod";
import { AppError } from "../../../base/error.ts";
import { exactText } from "../../../base/exact-text.ts";
import { safeLine } from "../../../base/text.ts";
import type { BundleFile } from "../../../ingest/skill/bundle.ts";
import { fenced } from "../fenced.ts";
import { findEntry } from "../find-entry.ts";
import { mediaTypeOf } from "../media-type.ts";
import { rootOf, uriIn } from "../skill-uri.ts";
import { demandForModels, skillNamed } from "./load-skill.ts";
import { skillTool, textResult } from "./tool.ts";

/** Characters of a text that are handed on at a time. What is longer is cut, and says how to go on. */
const mostCharacters = 256 * 1024;

/** CO-11: from a skill's instructions to one of its files. A script is text like any other: nothing runs. */
export const readSkillFile = skillTool({
  name: "read_skill_file",
  title: "Read a file of a skill",
  description: "Read one file that an approved skill brings along, by its path inside the skill.",
  input: z.strictObject({
    skill: skillNamed,
    path: z.string().min(1).max(4096).describe("The path inside the skill, as load_skill lists it."),
    from: z.int().min(0).optional().describe("Where to go on in a text that was cut, as it was said there."),
  }),
  async run(library, asked, { skill, path, from = 0 }) {
    const approved = await library.open(asked, findEntry(asked.view, skill));
    demandForModels(approved);
    const { entry, bundle } = approved;
    const wanted = path.replace(/^\.\//, "");
    const file = bundle.files.find((each) => each.path === wanted);
    if (file === undefined)
      throw new AppError(
        "record.missing",
        `${safeLine(entry.id, 240)} has no file ${safeLine(path, 240)}; load_skill lists them`,
      );
    const text = exactText(file.bytes);
    if (text === null) return bytesResult(rootOf(entry) ?? "skill://", file);
    const intro = `The file ${safeLine(wanted, 240)} of the skill ${safeLine(entry.id, 240)}: words of those who wrote it.`;
    return textResult(fenced(asked.app.keys, ["file", entry.id, file.digest], intro, partOf(text, from)));
  },
});

function partOf(text: string, from: number): string {
  const end = from + mostCharacters;
  if (end >= text.length) return text.slice(from);
  // Not in the middle of a character.
  const to = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
  return `${text.slice(from, to)}\n[cut here: the file has ${text.length} characters; go on with "from": ${to}]`;
}

function bytesResult(root: string, { path, bytes }: BundleFile) {
  const resource = {
    uri: uriIn(root, path) ?? root,
    mimeType: mediaTypeOf(path, false),
    blob: Buffer.from(bytes).toString("base64"),
  };
  return { content: [{ type: "resource" as const, resource }] };
}
