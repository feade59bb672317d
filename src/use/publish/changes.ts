import type { BundleDiff } from "../../review/diff/diff.ts";
import type { Found } from "./drift.ts";
import type { Candidate } from "./candidate.ts";
import { compareBytes } from "./lock.ts";

export interface FileChange {
  readonly path: string;
  readonly how: "added" | "removed" | "changed" | "executable" | "not executable";
  /** In bytes; null: there is none. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Changes {
  readonly files: readonly FileChange[];
  /** Line by line, what matters for security first (RV-4). */
  readonly diff: BundleDiff;
}

/** What becomes of the folder as it lies there. Pure. */
export async function changesTo(found: Found, { bundle, locked }: Candidate): Promise<Changes> {
  const [old, oldExecutable, gitFolders] =
    found === "missing" || found === "no folder"
      ? [[], new Set<string>(), []]
      : [found.bundle.files, found.executable, found.gitFolders];
  const [was, is] = [
    new Map(old.map((file) => [file.path, file])),
    new Map(bundle.files.map((file) => [file.path, file])),
  ];
  const executable = new Set(locked.executable);
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted(compareBytes);
  const files = paths.flatMap((path): FileChange[] => {
    const [earlier, later] = [was.get(path), is.get(path)];
    const sizes = { before: earlier?.bytes.length ?? null, after: later?.bytes.length ?? null };
    if (earlier === undefined || later === undefined)
      return [{ path, how: earlier === undefined ? "added" : "removed", ...sizes }];
    if (earlier.digest !== later.digest) return [{ path, how: "changed", ...sizes }];
    if (oldExecutable.has(path) === executable.has(path)) return [];
    return [{ path, how: executable.has(path) ? "executable" : "not executable", ...sizes }];
  });
  const gone = gitFolders.map((path): FileChange => ({ path, how: "removed", before: null, after: null }));
  const { diffBundles } = await import("../../review/diff/diff.ts");
  return { files: [...files, ...gone], diff: diffBundles(typeof found === "string" ? null : found.bundle, bundle) };
}
