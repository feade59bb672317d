import { safeLine } from "../../core/text.ts";
import type { Output } from "../command/output.ts";
import { progressOn, renderFindings, renderTable, when } from "../command/render.ts";
import type { OnProgress, PartName } from "./checking.ts";
import type { VerificationPart, VerificationReport, Whereabouts } from "./schema.ts";
import type { AuditRecord } from "../../registry/schema.ts";

export function renderRecords(records: readonly AuditRecord[], style: Output["style"]): string {
  if (records.length === 0) return "No records like that.";
  const rows = records.map(({ seq, at, by, act, subject, details }) => [
    String(seq),
    when(at),
    safeLine(by, 48),
    safeLine(act, 32),
    safeLine(subject, 80),
    safeLine(details, 80),
  ]);
  return renderTable(["seq", "at", "by", "act", "subject", "details"], rows, style);
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

export function verificationProgress(output: Output): OnProgress {
  const counters = new Map<PartName, ReturnType<typeof progressOn>>();
  return (part, done, total) => {
    const counter = counters.get(part) ?? progressOn(output, `verifying ${nouns[part]}`);
    counters.set(part, counter);
    counter(done, total);
  };
}

export function renderVerification({ parts, passes, store }: VerificationReport, style: Output["style"]): string {
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

export function renderWhere(found: Whereabouts, style: Output["style"]): string {
  const sections = [
    [style("bold", found.digest)],
    ["", style("bold", "Entries that have or had it"), renderEntries(found, style)],
    ["", style("bold", "Words on it"), renderWords(found, style)],
    ["", style("bold", "Uses"), renderUses(found, style), ...renderLimits(found)],
  ];
  return sections.flat().join("\n");
}

function renderEntries({ entries }: Whereabouts, style: Output["style"]): string {
  if (entries.length === 0) return "none";
  const rows = entries.map(({ entry, state, isCurrent, isInUse, attachedTo }) => [
    safeLine(entry),
    state,
    isCurrent ? "yes" : "no",
    isInUse ? "yes" : "no",
    safeLine(attachedTo.join(", ") || "nothing"),
  ]);
  return renderTable(["entry", "state", "current", "in use", "attached to"], rows, style);
}

function renderWords({ decisions, block }: Whereabouts, style: Output["style"]): string {
  const words = block === null ? decisions : [...decisions, { ...block, entry: "everything with it" }];
  if (words.length === 0) return "none";
  const rows = words.map(({ at, by, word, entry, note }) => [
    when(at),
    word,
    safeLine(entry),
    safeLine(by, 48),
    safeLine(note),
  ]);
  return renderTable(["at", "word", "entry", "by", "note"], rows, style);
}

function renderUses({ uses }: Whereabouts, style: Output["style"]): string {
  if (uses.length === 0) return "none";
  const rows = uses.map((use) => [
    safeLine(use.configuration ?? "-"),
    safeLine(use.task ?? "-"),
    safeLine(use.conversation ?? "-"),
    safeLine(use.entry),
    use.event,
    safeLine(use.tool ?? "-"),
    ...("times" in use ? [String(use.times), when(use.first), when(use.last)] : ["1", when(use.at), when(use.at)]),
  ]);
  const titles = ["configuration", "task", "conversation", "entry", "what", "tool", "times", "first", "last"];
  return renderTable(titles, rows, style);
}

/** What is not in the list is said. */
function renderLimits({ more, expiredBefore, spooled }: Whereabouts): string[] {
  return [
    ...(more ? ["There are more: raise --limit."] : []),
    ...(expiredBefore === null ? [] : [`Usage before ${when(expiredBefore)} is not kept any more.`]),
    ...(spooled === 0 ? [] : [`Batches of usage that wait on this machine: ${spooled} (skillward audit replay)`]),
  ];
}
