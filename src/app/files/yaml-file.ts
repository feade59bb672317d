import { limits } from "../../core/limits.ts";
import type { Files } from "../../core/world.ts";
import { decodeUtf8 } from "../../skill/document.ts";
import { parseYaml, type YamlResult } from "../../skill/yaml.ts";

/** The text of a regular file that a person wrote, or why there is none. Rejects as `Files` does. */
export async function loadText(
  files: Files,
  path: string,
  most: number,
): Promise<{ text: string; why?: undefined } | { text?: undefined; why: string }> {
  const read = await files.read(path, most);
  if (!(read instanceof Uint8Array)) return { why: `the file has ${read.size} bytes; at most ${most} are read` };
  const text = decodeUtf8(read);
  return text === undefined ? { why: "the file is not valid UTF-8" } : { text };
}

/** The YAML of such a file, as strictly as a skill's (T20, T21). */
export function parseTree(text: string): YamlResult {
  return parseYaml(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"), limits.skill.workspace);
}
