import { basename, dirname, join, normalize, relative } from "node:path/posix";
import { AppError, nullIfMissing } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FilesToWrite, EntryKind } from "../../core/world.ts";
import { messageOf } from "../agent-faults.ts";
import type { ToolInput } from "../tool.ts";
import { optionalText } from "./inputs.ts";
import { demandNoHook, isKept, isProtected, type ProtectedPlaces } from "./protected-paths.ts";

/** What the tools of files work on. */
export interface Workspace extends WorkspaceFolder {
  readonly files: Files & FilesToWrite;
  /** Told of a real path right before something is written or taken away there. */
  readonly onWriting?: ((path: string) => void) | undefined;
  /** After a file named `SKILL.md` was written or taken away: what it returns is told to the model (AG-4). */
  readonly onSkillWritten?: ((path: string) => Promise<string>) | undefined;
}

/** What one file may have to be shown or changed: it is held in memory as a whole. */
export const mostFileBytes = 16 * 1024 * 1024;

/** The text of a file, exactly: what is no text is refused, and nothing of it shown. */
export async function readText({ files }: Workspace, place: Place): Promise<string> {
  demandFile(place);
  const shown = safeLine(place.path, 240);
  const bytes = await files.read(place.real, mostFileBytes);
  if (!(bytes instanceof Uint8Array))
    throw new AppError(
      "usage.invalid",
      `${shown} has ${bytes.size} bytes, and files over ${mostFileBytes} bytes are not read; take a part of it with shell`,
    );
  const text = textIn(bytes);
  if (text === undefined) throw new AppError("path.wrong-kind", `${shown} is no text: it is binary, or not UTF-8`);
  return text;
}

/** Undefined for what is binary or not UTF-8. A byte order mark stays: what is written back is what was read. */
export function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function demandFile({ path, kind }: Place): void {
  const shown = safeLine(path, 240);
  if (kind === "nothing") throw new AppError("path.missing", `there is no ${shown} in the workspace`);
  if (kind === "folder") throw new AppError("path.wrong-kind", `${shown} is a folder; list shows what is in it`);
  if (kind !== "file") throw new AppError("path.wrong-kind", `${shown} is neither a file nor a folder`);
}

/** Whether something can be written there: a file, or nothing yet. */
export function demandWritable(place: Place): void {
  if (place.kind !== "nothing") demandFile(place);
}

export async function writeText({ files, onWriting }: Workspace, { real }: Place, text: string): Promise<void> {
  onWriting?.(real);
  await files.write(real, Buffer.from(text));
}

export async function removeFile({ files, onWriting }: Workspace, { real }: Place): Promise<void> {
  onWriting?.(real);
  await files.remove(real);
}

/** The answer of a tool that wrote, with what became of the skills among it. What was written stays written. */
export async function withSkillNotes(
  { onSkillWritten }: Workspace,
  written: readonly Place[],
  answer: string,
): Promise<string> {
  const notes = [answer];
  for (const { real } of written.filter(({ path }) => basename(path) === "SKILL.md"))
    if (onSkillWritten !== undefined)
      notes.push(
        await onSkillWritten(real).catch((error: unknown) => `Skills were not loaded again: ${messageOf(error, 240)}`),
      );
  return notes.filter((note) => note !== "").join("\n");
}

/** Where a call leads: a path that the gate judged, and what lies there in person. */
export interface Place {
  /** From the root of the workspace, normalised; `.` for the root itself. */
  readonly path: string;
  /** On the disk. No part of it is a link. */
  readonly real: string;
  readonly kind: EntryKind | "nothing";
}

/** The folder that the paths of calls are about. */
export interface WorkspaceFolder extends ProtectedPlaces {
  readonly files: Files;
}

const longestPath = 4096;

/** The path of a call from the root of the workspace: what is judged and what is used are both this. */
export function pathFrom(root: string, input: ToolInput, otherwise?: string): string {
  const path = optionalText(input, "path", longestPath) ?? otherwise;
  if (path === undefined) throw new AppError("usage.invalid", "path is missing; give it as text");
  return workspacePath(root, path);
}

/** By its letters alone: `..` takes back what stands before it, whatever that is on the disk. */
export function workspacePath(root: string, path: string): string {
  if (path === "" || path.length > longestPath || path.includes("\0") || !path.isWellFormed())
    throw new AppError("usage.invalid", `this is no path that a file can have: ${safeLine(path)}`);
  if (path.startsWith("~"))
    throw new AppError("usage.invalid", `a path starts in the workspace, and ${safeLine(path)} starts elsewhere`);
  const inside = relative(root, path.startsWith("/") ? normalize(path) : join(root, path));
  if (leadsOut(inside))
    throw new AppError(
      "usage.invalid",
      `${safeLine(path, 240)} leads out of the workspace; files there are not reached`,
    );
  return inside === "" ? "." : inside;
}

function leadsOut(inside: string): boolean {
  return inside === ".." || inside.startsWith("../");
}

/**
 * What the gate is told. A path that cannot be used is told as it was written: no pattern lets it through, and running
 * the call says what is wrong with it.
 */
export function judgedPath(root: string, input: ToolInput, otherwise?: string): string {
  try {
    return pathFrom(root, input, otherwise);
  } catch {
    const written = Object.hasOwn(input, "path") ? input["path"] : undefined;
    return typeof written === "string" ? written : "";
  }
}

/** Finds what lies at a path. A way through a link is refused: the gate judged the path as it was written (T33). */
export async function findPlace(workspace: WorkspaceFolder, path: string): Promise<Place> {
  const { root, files } = workspace;
  const real = path === "." ? root : join(root, path);
  // Said again at the disk: whoever runs a tool without a gate does not reach these either.
  if (isKept(workspace, real))
    throw refused(`${safeLine(path, 240)} is Skillward's own; no tool reads or writes what is there`);
  const [deepest, kind] = await deepestThere(files, root, real);
  await demandPlain(root, files, path, deepest);
  if (deepest === real) return { path, real, kind };
  if (kind === "folder") return { path, real, kind: "nothing" };
  const above = safeLine(relative(root, deepest), 240);
  throw new AppError("path.wrong-kind", `${safeLine(path, 240)} cannot be there: ${above} is no folder`);
}

/** As `findPlace`, for what is to be written. What a person was asked about, by its name, is theirs to decide. */
export async function findPlaceToWrite(workspace: WorkspaceFolder, path: string): Promise<Place> {
  const place = await findPlace(workspace, path);
  if (!isProtected(workspace, path)) await demandNoHook(workspace.files, workspace.root, path);
  return place;
}

/** What is asked for, or the nearest above it that is there; a link that leads nowhere is there too. */
async function deepestThere(files: Files, root: string, real: string): Promise<[path: string, kind: EntryKind]> {
  for (let at = real; ; at = dirname(at)) {
    const kind = at === root ? await files.kind(at) : await files.kind(at).catch(nullIfMissing);
    if (kind !== null) return [at, kind];
  }
}

async function demandPlain(root: string, files: Files, path: string, deepest: string): Promise<void> {
  const found = await files.resolve(deepest).catch(nullIfMissing);
  if (found === deepest) return;
  const shown = safeLine(path, 240);
  if (found === null) throw refused(`${shown} is a link that leads nowhere; ask for a path without links`);
  const inside = relative(root, found);
  if (leadsOut(inside))
    throw refused(`${shown} is a link that leads out of the workspace; files there are not reached`);
  const target = join(inside, relative(deepest, join(root, path)));
  throw refused(`${shown} is a link to ${safeLine(target, 240)}; ask for ${safeLine(target, 240)} itself`);
}

function refused(why: string): AppError {
  return new AppError("path.wrong-kind", why);
}
