import { safeLine } from "../../core/text.ts";
import type { Exported } from "../../workspace/export.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFindings, renderTable, short, when } from "../command/render.ts";
import { shownId } from "../skills/render.ts";
import { renderDrift } from "../workspace/render.ts";
import type { ExportReport } from "./export.ts";
import type { PublishedLine } from "./schema.ts";

type Style = Output["style"];

const words: Readonly<Record<Exported["state"], string>> = {
  written: "written",
  replaced: "replaced",
  unchanged: "as it is",
  same: "not written twice",
  removed: "removed",
  left: "still there; --prune takes it away",
  drifted: "changed there, and left alone; --force overwrites it",
  refused: "refused",
};

/** States in which all is as it should be. */
const fine: ReadonlySet<Exported["state"]> = new Set(["written", "replaced", "unchanged", "same", "removed"]);

export function isExportFine({ skills, notes }: ExportReport): boolean {
  return notes.length === 0 && skills.every(({ state }) => fine.has(state));
}

export function renderExport({ root, folder, skills }: ExportReport, style: Style): string {
  const lines = skills.flatMap((each) => renderLine(each, style));
  const count = skills.filter(({ state }) => state === "written" || state === "replaced").length;
  const where = folder === "." ? safeLine(root, 240) : `${safeLine(root, 240)}/${folder}`;
  return [...lines, `${plural(count, "skill")} written to ${where}`].join("\n");
}

function renderLine({ entry, folder, state, reason, drift = [] }: Exported, style: Style): string[] {
  const word = fine.has(state) ? words[state] : style("red", words[state]);
  const why = reason === undefined ? "" : `: ${safeLine(reason, 400)}`;
  return [`${style("bold", shownId(folder ?? entry))}  ${word}${why}`, ...renderDrift(drift)];
}

/** What is switched on, and below it why some of it is not served. */
export function renderPublished(lines: readonly PublishedLine[], style: Output["style"]): string {
  const rows = lines.map(({ entry, name, digest, at, by }) => [
    safeLine(name),
    shownId(entry),
    digest === null ? "not served" : short(digest),
    `${when(at)} by ${safeLine(by)}`,
  ]);
  const findings = lines.flatMap((line) => line.findings);
  return [renderTable(["name", "entry", "serves", "published"], rows, style), ...renderFindings(findings, style)].join(
    "\n",
  );
}

/** Two switches: one for each skill, one for all of them. */
export const doorIsOff =
  "nobody can fetch it yet: set `publish.enabled: on` in the configuration and start the server again";
