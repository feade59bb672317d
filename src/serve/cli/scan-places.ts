import { posix } from "node:path";
import type { ScanFinding, ScannedSkill, ScanReport } from "../../app/scan.ts";

/** A finding, and the path of its file as the person named it. */
export interface PlacedFinding {
  readonly finding: ScanFinding;
  readonly path: string;
}

/** Where a finding is: a skill's folder and the file in it, or the file that was named by itself. */
export function pathOf({ path, kind }: Pick<ScannedSkill, "path" | "kind">, { at }: ScanFinding): string {
  return kind === "file" ? path : posix.join(path, at.file);
}

/** Every finding of a report: what is about the set first, then skill by skill. */
export function placedFindings({ findings, skills }: ScanReport): PlacedFinding[] {
  const about = findings.map((finding) => ({ finding, path: finding.at.file }));
  return [
    ...about,
    ...skills.flatMap((skill) => skill.findings.map((finding) => ({ finding, path: pathOf(skill, finding) }))),
  ];
}

/** A path from the folder a command was started in; `outside`: it does not lie below it. */
export function fromHere(here: string, path: string): { path: string; outside: boolean } {
  const relative = posix.relative(here, posix.resolve(here, path));
  return { path: relative === "" ? "." : relative, outside: /^\.\.(?:\/|$)/.test(relative) };
}
