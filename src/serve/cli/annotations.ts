import type { ScanFinding, ScanReport } from "../../app/scan.ts";
import { type Level, levels } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import { withoutOrders } from "./build-log.ts";
import { fromHere, type PlacedFinding, placedFindings } from "./scan-places.ts";

const words: Readonly<Record<Level, "error" | "warning" | "notice">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "notice",
  info: "notice",
};

/**
 * Workflow commands of GitHub Actions, one for each open finding. The heaviest first: a page shows only the first ten
 * of a kind.
 */
export function renderAnnotations(report: ScanReport, here: string): string[] {
  return placedFindings(report)
    .filter(({ finding }) => !finding.baseline)
    .toSorted((a, b) => levels.indexOf(b.finding.level) - levels.indexOf(a.finding.level))
    .map((placed) => annotationOf(placed, here));
}

function annotationOf({ finding, path }: PlacedFinding, here: string): string {
  const properties = [
    ["file", withoutOrders(safeLine(fromHere(here, path).path, 1024))],
    ["line", String(finding.at.line)],
    ["title", `${finding.code} (${finding.level})`],
  ];
  const said = properties.map(([name = "", value = ""]) => `${name}=${escapeProperty(value)}`).join(",");
  return `::${words[finding.level]} ${said}::${escapeText(textOf(finding))}`;
}

function textOf({ message, excerpt, decoded, why }: ScanFinding): string {
  const lines = [
    safeLine(message, 400),
    excerpt === null ? null : `> ${safeLine(excerpt, 240)}`,
    decoded === null ? null : `decoded: ${safeLine(decoded, 600)}`,
    why,
  ];
  return withoutOrders(lines.filter((line) => line !== null).join("\n"));
}

/** As GitHub's own toolkit does: a text ends with its line, so what ends a line must not stand in it. */
function escapeText(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function escapeProperty(text: string): string {
  return escapeText(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
