import type { SyncFailure, SyncReport } from "../../app/syncs.ts";
import type { SyncResult } from "../../registry/sync/sync.ts";
import { type Call, type ExitCode, exit } from "./command.ts";
import type { Output } from "./output.ts";
import { progressOn } from "./progress.ts";
import { hint, plural, renderFindings } from "./render.ts";

/** A line for each source, its findings below it. */
export function renderSyncs({ results }: SyncReport, style: Output["style"]): string {
  if (results.length === 0) return "No source to sync. Add one: skillward source add <folder>";
  return results.map((result) => renderSync(result, style)).join("\n");
}

function renderSync(result: SyncResult | SyncFailure, style: Output["style"]): string {
  const name = style("bold", result.source);
  if (isFailure(result)) return `${name}: ${style("red", "not synced")}: ${result.error.message}`;
  const partial = result.status === "partial" ? ` ${style("yellow", "(partial: not all of it could be read)")}` : "";
  return [`${name}: ${sumOf(result)}${partial}`, ...renderFindings(result.findings, style)].join("\n");
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
  ]);
  if (seen === "") return "no skills there; a skill is a folder with a file named exactly SKILL.md";
  return effects === "" ? seen : `${seen}; ${effects}`;
}

function counted(counts: readonly (readonly [count: number, what: string])[]): string {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(", ");
}

/** What a person does next. */
export function hintAtNext(output: Output, call: Call, { results, waiting }: SyncReport): void {
  const bounded = results.find((each) => !isFailure(each) && each.findings.some(({ code }) => code === "walk.bounds"));
  if (bounded !== undefined)
    hint(output, call, `To read more at once: skillward source set ${bounded.source} --max-files <count>`);
  if (waiting === 0) return;
  hint(output, call, `${plural(waiting, "skill")} ${waiting === 1 ? "waits" : "wait"} for review: skillward review`);
}

/** Partial, refused or running elsewhere: 1. A folder that is gone, a disk that fails: 3. */
export function exitOfSyncs({ results }: SyncReport): ExitCode {
  const failed = results.filter(isFailure);
  if (failed.some(({ error }) => !error.code.startsWith("sync."))) return exit.broken;
  return failed.length > 0 || results.some(({ status }) => status === "partial") ? exit.findings : exit.fine;
}

function isFailure(result: SyncResult | SyncFailure): result is SyncFailure {
  return result.status === "error";
}

export function syncProgress(output: Output): (source: string, done: number, total: number) => void {
  const shown = new Map<string, ReturnType<typeof progressOn>>();
  return (source, done, total) => {
    const show = shown.get(source) ?? progressOn(output, `reading ${source}`);
    shown.set(source, show);
    show(done, total);
  };
}
