import type { PublishedLine } from "../../app/published.ts";
import { safeLine } from "../../base/text.ts";
import type { Output } from "./output.ts";
import { renderFindings, renderTable, short, when } from "./render.ts";
import { shownId } from "./render-registry.ts";

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
