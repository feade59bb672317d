import type { EntryLine } from "../../../features/skills/schema.ts";
import { type Level, levels } from "../../../core/finding.ts";
import { areasOf, listed, type QueueState, type State } from "../state.ts";
import { fit, line, type Line, pad, rule, type Span, span, spread } from "../../line.ts";
import { lookOf, plural } from "../../wording.ts";
import { stateSpan } from "./facts.ts";

/** The list of what waits, above the foot. */
export function renderQueue({ queue, size }: State): Line[] {
  const { isLow, list } = areasOf(size);
  const entries = listed(queue);
  const cursor = queue?.cursor ?? 0;
  const columns = columnsOf(entries, size.columns);
  const top = Math.max(0, Math.min(cursor - Math.floor(list / 2), entries.length - list));
  const rows = entries
    .slice(top, top + list)
    .map((entry, index) => renderEntry(entry, columns, top + index === cursor, size.columns));
  const filled = [...(rows.length === 0 ? emptyLines(queue) : rows)].slice(0, list);
  const blank = Array.from({ length: list - filled.length }, (): Line => []);
  const above = isLow
    ? [titleOf(queue, size.columns)]
    : [titleOf(queue, size.columns), headingOf(columns, size.columns)];
  return [...above, ...filled, ...blank, ...(isLow ? [] : detailsOf(entries[cursor], size.columns))];
}

function titleOf(queue: QueueState | null, columns: number): Line {
  const items = queue?.items ?? [];
  const clean = items.filter((item) => item.clean).length;
  const told = queue === null ? "" : `${items.length + queue.more} waiting · ${clean} clean `;
  const filter = queue === null || queue.filter === "" ? "" : `  /${queue.filter}`;
  return spread(
    [span(" skillward review", "reverse", "bold"), span(filter, "reverse")],
    line(told, "reverse"),
    columns,
    "reverse",
  );
}

interface Columns {
  readonly name: number;
  /** 0: there is no room for it. */
  readonly source: number;
  readonly trust: number;
  readonly hasWords: boolean;
}

const stateColumns = 10;

function columnsOf(entries: readonly EntryLine[], width: number): Columns {
  const hasWords = width >= 90;
  const longest = (of: (entry: EntryLine) => string) => Math.max(6, ...entries.map((each) => of(each).length));
  const trust = width >= 110 ? 13 : 0;
  const source = width < 64 ? 0 : Math.min(24, longest(({ source: id }) => id) + 2);
  const findings = hasWords ? 30 : 16;
  const room = width - 2 - stateColumns - source - trust - findings;
  return { name: Math.max(10, Math.min(room, longest(({ name }) => name) + 2)), source, trust, hasWords };
}

function headingOf({ name, source, trust }: Columns, columns: number): Line {
  const cells = ["  ", "state".padEnd(stateColumns), "name".padEnd(name), "source".padEnd(source).slice(0, source)];
  return fit(line(`${cells.join("")}${"trust".padEnd(trust).slice(0, trust)}findings`, "dim"), columns);
}

function renderEntry(entry: EntryLine, widths: Columns, isChosen: boolean, columns: number): Line {
  const cell = (text: string, width: number) =>
    width === 0 ? [] : [...pad(line(text, ...(isChosen ? (["bold"] as const) : [])), width - 1), span(" ")];
  const spans = [
    span(isChosen ? "▸ " : "  ", "bold", "cyan"),
    stateSpan(entry.state, stateColumns),
    ...cell(entry.name, widths.name),
    ...cell(entry.source, widths.source),
    ...cell(entry.trust ?? "gone", widths.trust),
    ...countsOf(entry.findings, widths.hasWords),
  ];
  return fit(spans, columns);
}

const brief: Readonly<Record<Level, string>> = {
  critical: "crit",
  high: "high",
  medium: "med",
  low: "low",
  info: "info",
};

function countsOf(counts: EntryLine["findings"], hasWords: boolean): Span[] {
  const found = levels.toReversed().filter((level) => (counts[level] ?? 0) > 0);
  if (found.length === 0) return [span("none", "green")];
  return found.flatMap((level, index) => [
    span(index === 0 ? "" : hasWords ? ", " : " "),
    span(`${counts[level] ?? 0} ${hasWords ? level : brief[level]}`, ...lookOf(level)),
  ]);
}

function emptyLines(queue: QueueState | null): Line[] {
  if (queue === null) return [];
  if (queue.items.length > 0) return [line(`  Nothing that waits has “${queue.filter}” in it.`, "dim")];
  return [[], line("  Nothing waits for review.", "bold"), line("  Whatever a sync brings in will stand here.", "dim")];
}

function detailsOf(entry: EntryLine | undefined, columns: number): Line[] {
  if (entry === undefined) return [rule("", columns), [], []];
  const trust = entry.trust === null ? "its source is gone" : `${entry.trust} source`;
  return [
    rule(entry.entry, columns, "bold"),
    fit([span(" "), stateSpan(entry.state), span(`  ${entry.reason}`)], columns),
    fit(line(` ${entry.current.slice(0, 12)} · ${trust} · ${inUse(entry)}`, "dim"), columns),
  ];
}

function inUse(entry: EntryLine): string {
  if (entry.inUse === null) return "nothing of it is in use";
  return entry.inUse === entry.current ? "in use" : `${entry.inUse.slice(0, 12)} is in use`;
}

/** Of those that wait and are not listed. */
export function moreOf({ queue }: State): string {
  return queue === null || queue.more === 0 ? "" : `${plural(queue.more, "more entry", "more entries")} not listed`;
}
