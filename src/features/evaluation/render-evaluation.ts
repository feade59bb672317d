import type { QualityBySet, ScanEvaluation } from "./eval-scan.ts";
import { safeLine } from "../../core/text.ts";
import { withoutOrders } from "../command/safe-output.ts";
import type { Output } from "../command/output.ts";
import { plural, renderTable } from "../command/render.ts";

/** Two rows for each set: what has a finding at high or above, and at critical. */
export function renderEvaluation(evaluation: ScanEvaluation, style: Output["style"]): string {
  const { n, atHigh, atCritical, msP50, msP99, missed, wrong } = evaluation;
  const rows = Object.keys(atHigh).flatMap((set) => [
    rowOf(set, "high", atHigh),
    rowOf("", "critical", atCritical, set),
  ]);
  return withoutOrders(
    [
      renderTable(["set", "at", "malicious", "recall", "benign", "false positive"], rows, style),
      "",
      `${plural(n, "text")}; a scan takes ${msP50} ms (median), ${msP99} ms (99th percentile)`,
      ...renderList("Missed at high", missed, style),
      ...renderList("Wrong at high", wrong, style),
    ].join("\n"),
  );
}

function rowOf(shown: string, at: string, qualities: QualityBySet, set = shown): string[] {
  const quality = qualities[set];
  if (quality === undefined) return [shown, at];
  const { malicious, benign, recall, falsePositive } = quality;
  return [shown, at, String(malicious), percent(recall), String(benign), percent(falsePositive)];
}

function percent(share: number | null): string {
  return share === null ? "-" : `${(share * 100).toFixed(1)} %`;
}

function renderList(title: string, ids: readonly string[] | undefined, style: Output["style"]): string[] {
  if (ids === undefined) return [];
  const lines = ids.length === 0 ? ["  none"] : ids.map((id) => `  ${safeLine(id, 256)}`);
  return ["", style("bold", `${title} (${ids.length})`), ...lines];
}
