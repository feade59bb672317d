import type { SyncFailure, SyncReport } from "../../app/syncs.ts";
import type { ErrorCode } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import { childOutcomes, type ChildState } from "../../ingest/source/children.ts";
import type { Progress } from "../../ingest/source/reading.ts";
import type { SyncResult } from "../../registry/sync/sync.ts";
import { type Call, type ExitCode, exit } from "./command.ts";
import type { Output } from "./output.ts";
import { progressOn } from "./progress.ts";
import { hint, plural, renderFindings, short, waitsForReview } from "./render.ts";
import { renderSize } from "./render-registry.ts";

/** A line for each source, its findings below it. */
export function renderSyncs({ results }: SyncReport, style: Output["style"]): string {
  if (results.length === 0) return "No source to sync. Add one: skillward source add owner/repo";
  return results.map((result) => renderSync(result, style)).join("\n");
}

function renderSync(result: SyncReport["results"][number], style: Output["style"]): string {
  const name = style("bold", result.source);
  if (isFailure(result)) return `${name}: ${style("red", "not synced")}: ${safeLine(result.error.message, 500)}`;
  const partial = result.status === "partial" ? ` ${style("yellow", "(partial: not all of it could be read)")}` : "";
  const cost = result.requests === 0 ? "" : style("dim", ` (${costOf(result)})`);
  const plugins = (result.children ?? []).length === 0 ? [] : [`  ${renderPlugins(result.children ?? [])}`];
  return [`${name}: ${sumOf(result)}${partial}${cost}`, ...plugins, ...renderFindings(result.findings, style)].join(
    "\n",
  );
}

function costOf({ pin, requests, bytes }: SyncResult): string {
  const at = pin === null ? "" : `at ${short(pin)}, `;
  return `${at}${plural(requests, "request")}, ${renderSize(bytes)}`;
}

/** What became of the plugins of a marketplace (IN-14). Findings name those that were not read, and say why. */
function renderPlugins(children: readonly ChildState[]): string {
  const counts = childOutcomes.map((outcome) => [countOf(children, outcome), outcome] as const);
  return `${plural(children.length, "plugin")}: ${counted(counts)}`;
}

function countOf(children: readonly ChildState[], wanted: ChildState["outcome"]): number {
  return children.filter(({ outcome }) => outcome === wanted).length;
}

function sumOf(result: SyncResult): string {
  const seen = counted([
    [result.created, "new"],
    [result.updated, "changed"],
    [result.unchanged, "unchanged"],
    [result.orphaned, "gone"],
  ]);
  const effects = counted([
    [result.disabledOnChange, "out of use until reviewed"],
    [result.held, "held at an approved revision"],
    [result.blocked, "blocked"],
    [result.rescanned, "scanned again by newer rules"],
  ]);
  if (seen === "") return nothingSeen(result);
  return effects === "" ? seen : `${seen}; ${effects}`;
}

function nothingSeen({ children }: SyncResult): string {
  if (children !== null) return "no skills taken in";
  return "no skills there; a skill is a folder with a file named exactly SKILL.md";
}

function counted(counts: readonly (readonly [count: number, what: string])[]): string {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(", ");
}

/** What a person does next. */
export function hintAtNext(output: Output, call: Call, { results, waiting }: SyncReport): void {
  const done = results.filter((result) => !isFailure(result));
  const bounded = done.find(({ findings }) => findings.some(({ code }) => code === "walk.bounds"));
  if (bounded !== undefined)
    hint(output, call, `To read more at once: skillward source set ${bounded.source} --max-files <count>`);
  const listed = done.find(({ children }) => children !== null && children.length > 0 && areListed(children));
  if (listed !== undefined)
    hint(
      output,
      call,
      `Pick plugins: skillward source set ${listed.source} --include <plugin>, or --all; then sync it`,
    );
  if (done.length < results.length)
    hint(output, call, "Where a sync failed nothing changed: what was approved stays in use");
  const blocked = done.reduce((sum, result) => sum + result.blocked, 0);
  if (blocked > 0) hint(output, call, `${plural(blocked, "skill")} blocked: skillward review <entry> says why`);
  if (waiting > 0) hint(output, call, waitsForReview(waiting));
}

/** Nothing was picked, and there are too many to take them in by themselves. */
function areListed(children: readonly ChildState[]): boolean {
  return countOf(children, "listed") > 0 && countOf(children, "read") === 0;
}

/** Something refused what is there, and nothing is broken. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  "sync.running",
  "sync.superseded",
  "sync.fingerprint",
  "source.frozen",
  "digest.mismatch",
]);

/** Partial, refused or running elsewhere: 1. A folder or repository that is gone, a disk or network that fails: 3. */
export function exitOfSyncs({ results }: SyncReport): ExitCode {
  const failed = results.filter(isFailure);
  if (failed.some(({ error }) => !refusals.has(error.code))) return exit.broken;
  return failed.length > 0 || results.some(({ status }) => status === "partial") ? exit.findings : exit.fine;
}

function isFailure(result: SyncReport["results"][number]): result is SyncFailure<ErrorCode> {
  return result.status === "error";
}

export function syncProgress(output: Output): (source: string, progress: Progress) => void {
  const shown = new Map<string, ReturnType<typeof progressOn>>();
  return (source, progress) => {
    const show = shown.get(source) ?? progressOn(output, `reading ${source}`);
    shown.set(source, show);
    show(progress.done, progress.total, detailsOf(progress));
  };
}

/** Beside how many: what came, and how much more may be asked (IN-23). */
function detailsOf({ of, bytes, left }: Progress): string | null {
  if (of === "skills") return null;
  const rest = left === null ? "" : `, ${plural(left, "request")} left`;
  return `${of}, ${renderSize(bytes)}${rest}`;
}
