import { orNull } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";

const mostLines = 1000;
const mostBytes = 1024 * 1024;

/** What a person typed, kept over sessions in a file of their own. What cannot be kept is no reason to stop. */
export async function openTypedLines(
  files: Files & FilesToWrite,
  path: string,
): Promise<{ readonly lines: readonly string[]; add(line: string): void; saved(): Promise<void> }> {
  const lines = await readLines(files, path);
  let saving: Promise<void> = Promise.resolve();
  const save = async (): Promise<void> => {
    const kept = lines.slice(-mostLines).map((line) => JSON.stringify(line));
    await files.writePrivate(path, Buffer.from(`${kept.join("\n")}\n`));
  };
  return {
    lines: [...lines],
    add: (line) => {
      if (lines.at(-1) === line) return;
      lines.push(line);
      saving = saving.then(save).catch(() => {});
    },
    saved: () => saving,
  };
}

async function readLines(files: Files, path: string): Promise<string[]> {
  const bytes = await files.read(path, mostBytes).catch(orNull);
  if (!(bytes instanceof Uint8Array)) return [];
  return new TextDecoder().decode(bytes).split("\n").flatMap(parseLine).slice(-mostLines);
}

function parseLine(text: string): readonly string[] {
  const value = parseJson(text);
  return typeof value === "string" ? [value] : [];
}
