import { loadText } from "../../app/files/yaml-file.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { textOption } from "./call.ts";
import type { Call } from "./command.ts";

/** As much as a prompt may have. */
const mostBytes = 256 * 1024;

/** A text that is typed as `--<name>`, or lies in the file of `--<name>-file`. */
export async function textOrFile(call: Call, files: Files, name: string): Promise<string | undefined> {
  const typed = textOption(call, name);
  const path = textOption(call, `${name}File`);
  if (path === undefined) return typed;
  if (typed !== undefined) throw new AppError("usage.invalid", `give --${name} or --${name}-file, not both`);
  // Links are followed: this is a path that a person named.
  const { text, why } = await loadText(files, await files.resolve(path), mostBytes);
  if (text === undefined) throw new AppError("usage.invalid", `--${name}-file ${safeLine(path, 240)}: ${why}`);
  return text;
}
