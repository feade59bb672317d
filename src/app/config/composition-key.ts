import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FilesToWrite, Randomness } from "../../core/world.ts";
import type { Environment } from "./config.ts";
import { isThere } from "../files/is-there.ts";
import { userFolder } from "./user-folder.ts";

const keyBytes = 32;

interface KeyWorld {
  readonly files: Files & FilesToWrite;
  readonly random: Randomness;
}

/**
 * CO-3: the composition key where there is no store, of the person at this machine. Made at the first use, so that the
 * same skills give the same bytes from then on.
 */
export async function loadCompositionKey({ files, random }: KeyWorld, environment: Environment): Promise<Uint8Array> {
  const path = compositionKeyFile(environment);
  await files.tidy(path);
  // Whoever else is making one at this moment: the one that is there afterwards counts.
  if (!(await isThere(files, path))) await files.createPrivate(path, random.bytes(keyBytes));
  if (!(await files.isPrivate(path))) throw unusable(path, "others can read it; remove it, and a new one is made");
  const bytes = await files.read(path, keyBytes);
  if (bytes instanceof Uint8Array && bytes.length === keyBytes) return bytes;
  throw unusable(path, `it does not have ${keyBytes} bytes; remove it, and a new one is made`);
}

/** T44: in the user's own folder, never in one that somebody stands in. */
export function compositionKeyFile({ configHome, home }: Environment): string {
  const folder = userFolder(configHome, home, ".config");
  if (folder !== undefined) return posix.join(folder, "compose.key");
  const hint = "set HOME or XDG_CONFIG_HOME to an absolute path";
  throw new AppError("config.invalid", `HOME is not set, so there is no place for the composition key; ${hint}`);
}

function unusable(path: string, why: string): AppError {
  return new AppError("keys.unusable", `the composition key ${safeLine(path, 240)}: ${why}`);
}
