import { resolve } from "node:path/posix";
import type { ToolCall } from "../../../base/tools/tools.ts";
import type { HostWord } from "../../scope/gate.ts";
import { hasProtectedName, isAtOrBelow } from "./protected-names.ts";

/** What of a workspace is more than files to work on. */
export interface ProtectedPlaces {
  /** The real path of its folder. */
  readonly root: string;
  /**
   * Real paths of Skillward's own places, inside of the workspace or not: with a word written there an agent would
   * confirm skills to itself, or forge what was said. No tool reaches what is at or below them (T33).
   */
  readonly kept: readonly string[];
  /** From the root: where the repository lies when `.git` is no folder but names one. */
  readonly gitFolder?: string | null | undefined;
}

/** AG-7: what is Skillward's own is not even read. */
export function wordOnReading(places: ProtectedPlaces): (call: ToolCall) => HostWord {
  return ({ paths = [] }) => (paths.some((path) => isKept(places, path)) ? "deny" : "allow");
}

/** AG-7: what decides about later runs, of agents or of machines, is written only with a person's word each time. */
export function wordOnWriting(places: ProtectedPlaces): (call: ToolCall) => HostWord {
  return ({ paths = [] }) => {
    if (paths.some((path) => isKept(places, path))) return "deny";
    return paths.some((path) => isProtected(places, path)) ? "ask-always" : "allow";
  };
}

/** A path from the root, or a real one. */
export function isKept({ root, kept }: ProtectedPlaces, path: string): boolean {
  const real = resolve(root, path);
  return kept.some((place) => isAtOrBelow(real, place));
}

/** A path from the root. */
export function isProtected({ gitFolder = null }: ProtectedPlaces, path: string): boolean {
  return hasProtectedName(path) || (gitFolder !== null && isAtOrBelow(path, gitFolder));
}
