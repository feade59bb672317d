import { basename } from "node:path/posix";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";
import { messageOf } from "../agent-faults.ts";
import type { Place, WorkspaceFolder } from "./workspace-path.ts";

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
