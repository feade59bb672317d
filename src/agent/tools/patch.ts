import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { messageOf } from "../agent-faults.ts";
import type { Tool, ToolInput } from "../tool.ts";
import { applyHunks, type Comparisons, type FilePatch, parsePatch } from "./unified-diff.ts";
import { wordOnWriting } from "./protected-paths.ts";
import {
  readText,
  removeFile,
  withSkillNotes,
  type Workspace,
  writeText,
  findPlaceToWrite,
  type Place,
  workspacePath,
} from "./workspace-file.ts";
import { contentOf, objectSchema } from "./inputs.ts";

/** Of all files of one patch: they are held in memory until each is known to fit. */
const mostCharacters = 64 * 1024 * 1024;
const mostComparisons = 20_000_000;

/** AG-7: a unified diff over one or several files. All of it fits, or nothing is written. */
export function patchTool(workspace: Workspace): Tool {
  const { root } = workspace;
  return {
    name: "patch",
    description:
      "Applies a unified diff to files of the workspace: changes, new files (--- /dev/null) and files that go (+++ /dev/null). Context has to fit letter by letter; line numbers may be off. Nothing is written unless all of it fits.",
    inputSchema: objectSchema({ patch: { type: "string", minLength: 1, description: "With ---, +++ and @@ lines." } }, [
      "patch",
    ]),
    subject: (input) => ({ paths: judgedPaths(root, input) }),
    policy: wordOnWriting(workspace),
    run: async (input, { signal }) => {
      const planned = await planAll(workspace, readPatch(root, input));
      signal.throwIfAborted();
      return carryOut(workspace, planned);
    },
  };
}

/** A patch that cannot be read names no path: no pattern lets it through, and running it says what is wrong. */
function judgedPaths(root: string, input: ToolInput): readonly string[] {
  try {
    return readPatch(root, input).map(({ path }) => path);
  } catch {
    return [];
  }
}

function readPatch(root: string, input: ToolInput): readonly FilePatch[] {
  const patches: FilePatch[] = [];
  for (const { path, change, hunks } of parsePatch(contentOf(input, "patch")))
    patches.push({ path: workspacePath(root, path), change, hunks });
  const paths = patches.map(({ path }) => path);
  const clash = paths.find((path, at) =>
    paths.some((other, index) => index !== at && `${other}/`.startsWith(`${path}/`)),
  );
  if (clash === undefined) return patches;
  throw new AppError("usage.invalid", `the patch is about ${safeLine(clash, 240)} twice, or about something in it`);
}

interface Planned {
  readonly place: Place;
  readonly change: FilePatch["change"];
  /** What will be in the file; null when it goes. */
  readonly text: string | null;
}

/** Everything that can be known to fail does so here. */
async function planAll(workspace: Workspace, patches: readonly FilePatch[]): Promise<readonly Planned[]> {
  const comparisons: Comparisons = { left: mostComparisons };
  const all: Planned[] = [];
  let characters = 0;
  for (const patch of patches) {
    const place = await findPlaceToWrite(workspace, patch.path);
    const before = patch.change === "create" ? demandNothing(place) : await readText(workspace, place);
    const text = applyHunks(place.path, before, patch.hunks, comparisons);
    characters += before.length + text.length;
    if (characters > mostCharacters)
      throw new AppError(
        "usage.invalid",
        "nothing was changed: the files of the patch are too large together; split it",
      );
    if (patch.change === "delete" && text !== "")
      throw new AppError(
        "usage.invalid",
        `nothing was changed: the patch takes ${safeLine(place.path, 240)} away, but not all of its lines`,
      );
    all.push({ place, change: patch.change, text: patch.change === "delete" ? null : text });
  }
  return all;
}

function demandNothing({ path, kind }: Place): string {
  if (kind === "nothing") return "";
  throw new AppError(
    "record.exists",
    `nothing was changed: ${safeLine(path, 240)} is there already, and the patch makes it`,
  );
}

async function carryOut(workspace: Workspace, planned: readonly Planned[]): Promise<string> {
  const done: Planned[] = [];
  try {
    for (const each of planned) {
      if (each.text === null) await removeFile(workspace, each.place);
      else await writeText(workspace, each.place, each.text);
      done.push(each);
    }
  } catch (error) {
    if (done.length === 0) throw error;
    // The disk failed half-way: what is there now is what the model has to know.
    const failure = `The disk failed at ${safeLine(planned[done.length]?.place.path ?? "", 240)}: ${messageOf(error, 240)}. Later files of the patch are as they were. Before that:`;
    return told(workspace, [failure], done);
  }
  return told(workspace, [], done);
}

const verbs = { create: "Made", change: "Changed", delete: "Took away" } as const;

function told(workspace: Workspace, head: readonly string[], done: readonly Planned[]): Promise<string> {
  const rows = done.map(({ place, change }) => `${verbs[change]} ${safeLine(place.path, 240)}.`);
  return withSkillNotes(
    workspace,
    done.map(({ place }) => place),
    [...head, ...rows].join("\n"),
  );
}
