import { z } from "zod";
import { AppError } from "../../../base/error.ts";
import { limits } from "../../../base/limits.ts";
import { safeLine } from "../../../base/text.ts";
import { skillFile } from "../../../ingest/skill/bundle.ts";
import { compositionKey } from "../../../registry/keys.ts";
import { compose } from "../../../use/compose/compose.ts";
import { select } from "../../../use/compose/select.ts";
import type { Approved } from "../approved.ts";
import { fenced } from "../fenced.ts";
import { findEntry } from "../find-entry.ts";
import type { Asked } from "../library.ts";
import { skillTool, textResult } from "./tool.ts";

export const skillNamed = z
  .string()
  .min(1)
  .max(4096)
  .describe("The id of the skill as find_skill gives it, or its name.");

/** CO-11: from what was found to its instructions, as they stand in a prompt: fenced, with the words of their trust (CO-3, CO-4). */
export const loadSkill = skillTool({
  name: "load_skill",
  title: "Load a skill",
  description:
    "Read the instructions of an approved skill before working on what it is for, and the list of the files that it brings along.",
  input: z.strictObject({ skill: skillNamed }),
  async run(library, asked, { skill }) {
    const approved = await library.open(asked, findEntry(asked.view, skill));
    demandForModels(approved);
    const block = blockOf(asked, approved);
    library.note(asked, "injected", approved.entry);
    return textResult(block, ...filesOf(asked, approved));
  },
});

/** `disable-model-invocation`: a person may apply it, by whatever their host offers; no model loads it by itself. */
export function demandForModels({ entry, skill }: Approved): void {
  if (skill.manifest.modelInvocable) return;
  throw new AppError("entry.unusable", `${safeLine(entry.id, 240)} is for people to apply: no model may load it`);
}

/** The largest body that is ever approved, and our words around it. */
const budget = limits.skill.registry.bodyBytes + 64 * 1024;

/** No id of a configuration has a blank: the boundary is nobody else's. */
const configuration = "mcp load";

function blockOf({ app, view }: Asked, { entry, material }: Approved): string {
  const wanted = { configuration: [], task: [], invoked: [entry.id], routed: [] };
  const selection = select(view.entries, wanted, "untrusted", () => "it is not shown here");
  const { block } = compose(selection, new Map([[entry.id, material]]), {
    key: compositionKey(app.keys),
    configuration,
    placement: "user",
    systemFloor: "first_party",
    budget,
    canReadFiles: true,
  });
  if (block === "") throw new AppError("entry.unusable", `${safeLine(entry.id, 240)} cannot be read as a skill`);
  return block;
}

const mostPaths = 100;

function filesOf({ app }: Asked, { entry, bundle }: Approved): string[] {
  const paths = bundle.files.map(({ path }) => path).filter((path) => path !== skillFile);
  if (paths.length === 0) return [];
  const shown = paths.slice(0, mostPaths).map((path) => `- ${safeLine(path, 240)}`);
  const more = paths.length > shown.length ? [`(${paths.length - shown.length} more)`] : [];
  const intro = "The files that it brings along, for read_skill_file.";
  return [fenced(app.keys, ["files", entry.id, entry.digest], intro, [...shown, ...more].join("\n"))];
}
