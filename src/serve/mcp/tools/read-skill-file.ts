import { z } from "zod";
import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { BundleFile } from "../../../ingest/skill/bundle.ts";
import { fenced } from "../fenced.ts";
import { findEntry } from "../find-entry.ts";
import { mediaTypeOf, textOf } from "../media-type.ts";
import { rootOf, uriIn } from "../skill-uri.ts";
import { demandForModels, skillNamed } from "./load-skill.ts";
import { skillTool, textResult } from "./tool.ts";

/** Characters of a text that are handed on. What is longer is cut, and says so. */
const mostCharacters = 256 * 1024;

/** CO-11: from a skill's instructions to one of its files. A script is text like any other: nothing runs. */
export const readSkillFile = skillTool({
  name: "read_skill_file",
  title: "Read a file of a skill",
  description: "Read one file that an approved skill brings along, by its path inside the skill.",
  input: z.strictObject({
    skill: skillNamed,
    path: z.string().min(1).max(4096).describe("The path inside the skill, as load_skill lists it."),
  }),
  async run(library, asked, { skill, path }) {
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
    const text = textOf(file.bytes);
    if (text === null) return bytesResult(rootOf(entry) ?? "skill://", file);
    const intro = `The file ${safeLine(wanted, 240)} of the skill ${safeLine(entry.id, 240)}: words of those who wrote it.`;
    return textResult(fenced(asked.app.keys, ["file", entry.id, file.digest], intro, cut(text)));
  },
});

function cut(text: string): string {
  if (text.length <= mostCharacters) return text;
  return `${text.slice(0, mostCharacters).toWellFormed()}\n[cut here: the file has ${text.length} characters; its resource has all of them]`;
}

function bytesResult(root: string, { path, bytes }: BundleFile) {
  const resource = {
    uri: uriIn(root, path) ?? root,
    mimeType: mediaTypeOf(path, false),
    blob: Buffer.from(bytes).toString("base64"),
  };
  return { content: [{ type: "resource" as const, resource }] };
}
