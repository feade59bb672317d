import type { Skill } from "../../ingest/skill/skill.ts";
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

/** A word of the header that says something else now. */
interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Changes {
  readonly files: readonly FileChange[];
  readonly fields: readonly FieldChange[];
}

/** What becomes of the folder as it lies there. Pure. */
export function changesTo(found: Found, before: Skill | undefined, { bundle, skill, locked }: Candidate): Changes {
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
  return { files: [...files, ...gone], fields: fieldChanges(before, skill) };
}

function fieldChanges(before: Skill | undefined, after: Skill | undefined): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return [...is.keys()].flatMap((field) => {
    const change = { field, before: was.get(field) ?? null, after: is.get(field) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

/** What decides when a skill is used and what it asks for. */
function fieldsOf(skill: Skill | undefined): Map<string, string | null> {
  const manifest = skill?.manifest;
  return new Map([
    ["name", manifest?.name ?? null],
    ["description", manifest?.description ?? null],
    ["kind", manifest?.kind ?? null],
    ["allowed-tools", manifest?.allowedTools?.join(" ") ?? null],
    ["disallowed-tools", manifest?.disallowedTools?.join(" ") ?? null],
  ]);
}
