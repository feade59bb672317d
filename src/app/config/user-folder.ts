import { posix } from "node:path";

/** Skillward's folder of the user's own. By the XDG rules a relative path in these variables does not count (T44). */
export function userFolder(xdg: string | null, home: string | null, usual: string): string | undefined {
  if (xdg !== null && posix.isAbsolute(xdg)) return posix.join(xdg, "skillward");
  return home !== null && posix.isAbsolute(home) ? posix.join(home, usual, "skillward") : undefined;
}
