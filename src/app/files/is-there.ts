import { AppError } from "../../core/error.ts";
import type { Files } from "../../core/world.ts";

/** A link that leads nowhere is there too: what somebody put in a place must not be taken for nothing. */
export async function isThere(files: Files, path: string): Promise<boolean> {
  try {
    await files.kind(path);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "path.missing") return false;
    throw error;
  }
}
