import type { FileChange, SkillDiff } from "../../app/revisions.ts";
import type { Output } from "./output.ts";
import { plural, renderFindings, renderTable, short } from "./render.ts";
import { renderSection, renderSize, shownId } from "./render-registry.ts";

export function renderDiff(diff: SkillDiff, style: Output["style"]): string {
  return [
    headOf(diff, style),
    ...(diff.files.length === 0
      ? []
      : ["", renderTable(["file", "what", "size", "sha256"], diff.files.map(rowOf), style)]),
    ...renderSection("Changed by hand", renderFindings(diff.tampering, style), style),
  ].join("\n");
}

function headOf({ entry, from, to, files, unchanged }: SkillDiff, style: Output["style"]): string {
  const name = style("bold", shownId(entry));
  if (from === null) return `${name} ${short(to)}: nothing of it was ever approved, all of its files are new`;
  const compared = `${name} ${short(to)} against ${short(from.digest)}, the revision ${from.is === "in use" ? "in use" : "approved last"}`;
  if (files.length === 0) return `${compared}: the same bytes`;
  return `${compared}: ${plural(files.length, "file")} different, ${unchanged} the same`;
}

function rowOf({ path, change, before, after }: FileChange): string[] {
  const both = (show: (version: NonNullable<FileChange["before"]>) => string) =>
    [before, after].flatMap((version) => (version === null ? [] : [show(version)])).join(" -> ");
  return [shownId(path), change, both(({ size }) => renderSize(size)), both(({ digest }) => short(digest))];
}
