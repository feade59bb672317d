import type { ExportReport } from "../../app/export.ts";
import { safeLine } from "../../base/text.ts";
import type { Exported } from "../../use/publish/export.ts";
import type { Output } from "./output.ts";
import { plural } from "./render.ts";
import { renderDrift } from "./render-publish.ts";
import { shownId } from "./render-registry.ts";

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
