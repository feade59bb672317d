import { verifyStore, type VerificationReport } from "../../../../app/verification.ts";
import type { OnProgress, PartName, VerificationPart } from "../../../../app/verification-part.ts";
import { exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { renderFindings, show } from "../../render.ts";
import { withInspection } from "../../with-app.ts";

export const run = withInspection(async (opened, call, output) => {
  const report = await verifyStore(opened, { all: call.options["all"] === true, onProgress: progressOf(output) });
  show(output, call, report, () => renderReport(report, output.style));
  return report.passes ? exit.fine : exit.findings;
});

function progressOf(output: Output): OnProgress {
  const counters = new Map<PartName, ReturnType<typeof progressOn>>();
  return (part, done, total) => {
    const counter = counters.get(part) ?? progressOn(output, `verifying ${nouns[part]}`);
    counters.set(part, counter);
    counter(done, total);
  };
}

const nouns: Readonly<Record<PartName, string>> = {
  checkpoint: "checkpoint",
  audit: "audit records",
  ledger: "signed words",
  usage: "batches of usage",
  revisions: "bytes of revisions",
  summaries: "summaries of revisions",
  users: "users",
  keys: "API keys",
  providers: "providers",
  tokens: "tokens of sources",
  published: "published skills",
  entries: "entries and sources",
};

function renderReport({ parts, passes, store }: VerificationReport, style: Output["style"]): string {
  const width = Math.max(...parts.map(({ part }) => nouns[part].length));
  const verdict = passes ? style("green", "everything is as it was written") : style("red", "not as it was written");
  return [...parts.flatMap((part) => renderPart(part, width, style)), `store ${store}: ${verdict}`].join("\n");
}

function renderPart(part: VerificationPart, width: number, style: Output["style"]): string[] {
  const { checked, found, findings, note } = part;
  const mark = found === 0 ? style("green", "✓") : style("red", "✗");
  const faults = found === 0 ? "" : `, ${found} ${found === 1 ? "finding" : "findings"}`;
  const line = `${mark} ${nouns[part.part].padEnd(width)}  ${checked}${faults}`;
  const left = found - findings.length;
  return [
    note === null ? line : `${line} ${style("dim", `(${note})`)}`,
    ...renderFindings(findings, style),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
