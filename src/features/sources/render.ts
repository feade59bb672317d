import type { ErrorCode } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { states } from "../../registry/state.ts";
import { childOutcomes } from "../../sources/marketplace/children.ts";
import type { ChildState, Progress, RemoteState, Source } from "../../sources/schema.ts";
import { flags } from "../../sources/source.ts";
import { flagOf } from "../command/call.ts";
import { type Call, exit, type ExitCode } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import {
  hint,
  plural,
  progressOn,
  renderFields,
  renderFindings,
  renderTable,
  short,
  waitsForReview,
  when,
} from "../command/render.ts";
import { renderSize } from "../skills/render.ts";
import type { SyncResult } from "../../registry/schema.ts";
import type { AddReport, SourceView, SyncFailure, SyncReport } from "./schema.ts";

type Field = readonly [name: string, value: string];

/** Of a marketplace with its plugins, where those are asked for. */
export function renderSource(view: SourceView, style: Output["style"], withPlugins = true): string {
  const { source } = view;
  const { bounds, error, expectedFingerprint } = source;
  const fields: Field[] = [
    ["source", source.id],
    ...(source.title === source.id ? [] : [["title", safeLine(source.title)] as const]),
    ["from", `${source.kind} ${safeLine(source.url, 500)}`],
    ...renderPlace(source),
    ["trust", source.trust],
    ["on change", onChangeWords[source.onChange]],
    ...renderSwitches(source),
    ["syncs", renderSchedule(source)],
    ["synced", `${when(source.syncedAt)} (${source.status})`],
    ...(error === null ? [] : [["error", style("red", safeLine(error, 500))] as const]),
    ["added by", safeLine(source.addedBy)],
    ["skills", renderStates(view)],
  ];
  if (expectedFingerprint !== null) fields.push(["fingerprint", safeLine(expectedFingerprint)]);
  if (bounds !== null)
    fields.push(["one sync", `${bounds.files} files, ${bounds.seconds} seconds, ${renderSize(bounds.bytes)} at most`]);
  return [renderFields(fields, style), ...(withPlugins ? renderPlugins(view, style) : [])].join("\n");
}

export function renderSources(sources: readonly Source[], style: Output["style"]): string {
  if (sources.length === 0) return "No sources yet. Add one: skillward source add owner/repo";
  const rows = sources.map((source) => [
    source.id,
    source.kind,
    source.enabled ? source.status : "off",
    source.trust,
    source.onChange,
    when(source.syncedAt),
    source.pin === null ? "-" : short(source.pin),
    placeOf(source),
  ]);
  return renderTable(["id", "kind", "status", "trust", "on change", "synced", "pin", "from"], rows, style);
}

export function renderAddition(report: AddReport, style: Output["style"]): string {
  const { id, kind, trust } = report.source;
  const what = kind === "folder" ? trust : `${kind}, ${trust}`;
  const lines = [`Added ${style("bold", id)} (${what}): ${placeOf(report.source)}`];
  if (report.results.length > 0) lines.push(renderSyncs(report, style));
  if (report.approved !== null) lines.push(`Approved ${report.approved.entry} at ${report.approved.digest}`);
  if (report.notApproved !== null) lines.push(`${style("red", "Not approved")}: ${safeLine(report.notApproved, 500)}`);
  return lines.join("\n");
}

/** Where a source is, in one line: several can be of one repository. */
function placeOf({ kind, url, ref, include }: Source): string {
  const parts = kind === "marketplace" || include === null ? "" : `, ${partsOf(include)}`;
  return `${safeLine(url, 500)}${parts}${ref === null ? "" : ` at ${shortRef(ref)}`}`;
}

function partsOf(include: readonly string[]): string {
  const named = include.map((path) => (path === "" ? "its root" : path));
  return safeLine(named.slice(0, 3).join(", "), 240) + (named.length > 3 ? ` and ${named.length - 3} more` : "");
}

function shortRef(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? short(ref) : safeLine(ref);
}

const onChangeWords = {
  hold: "hold: the approved revision stays in use",
  disable: "disable: out of use until approved",
};

function renderStates({ states: counts }: SourceView): string {
  const some = states.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`]));
  return some.length === 0 ? "none" : some.join(", ");
}

function renderSchedule({ enabled, interval, dueAt }: Source): string {
  if (!enabled) return "off";
  return interval === null ? "when asked" : `every ${renderInterval(interval)}, next ${when(dueAt)}`;
}

const units = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
] as const;

/** In the largest unit that says it exactly. */
function renderInterval(seconds: number): string {
  const [size, name] = units.find(([each]) => seconds % each === 0) ?? [1, "second"];
  return plural(seconds / size, name);
}

/** Those that are said elsewhere, with what they belong to. */
const saidElsewhere: ReadonlySet<string> = new Set(["enabled", "tokenForOwner"]);

/** Every other setting that is switched on, by the name of its option. */
function renderSwitches(source: Source): Field[] {
  const on = flags.filter((flag) => source[flag] && !saidElsewhere.has(flag)).map(flagOf);
  return on.length === 0 ? [] : [["switched on", on.join(", ")]];
}

/** Of a remote source: where it stands, and which links from there to the bytes were proven (IN-8, IN-9). */
function renderPlace(source: Source): Field[] {
  const { hosts, ref, pin, repositoryId, ownerId, remote } = source;
  if (hosts === null) return [];
  const branch = remote?.ref == null ? "" : ` (${safeLine(remote.ref)})`;
  return [
    ["takes in", takenIn(source)],
    ["follows", ref === null ? `the default branch${branch}` : followed(ref)],
    ["pin", pin ?? "none yet"],
    ...(remote?.proof == null ? [] : renderProof(remote.proof)),
    ["repository", `id ${repositoryId}, owner id ${ownerId}, on ${safeLine(hosts)}`],
    ["token", tokenWords(source)],
  ];
}

function takenIn({ kind, include }: Source): string {
  if (kind !== "marketplace") return include === null ? "all skills in it" : partsOf(include);
  if (include === null) return "every plugin, if they are 50 at most";
  return include.includes("*") ? "every plugin" : safeLine(include.join(", "), 500);
}

function followed(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? "nothing: it stays at one commit" : safeLine(ref);
}

function tokenWords({ tokenRef, tokenForOwner }: Source): string {
  if (tokenRef === null) return "none";
  return tokenForOwner ? "kept encrypted; also for other repositories of its owner" : "kept encrypted";
}

function renderProof({ commit, reachable }: NonNullable<RemoteState["proof"]>): Field[] {
  const how =
    commit === "hashed" ? "proven: its own bytes have the pin as their hash" : "by API: its bytes are not told";
  return [
    ["files", "proven: each has the hash that its tree names"],
    ["trees", "proven: hashed up to the one that the commit names"],
    ["commit", how],
    ["reachable", reachable === null ? "from no branch or tag that is known" : `from ${safeLine(reachable)}`],
  ];
}

/** What a person picks from. */
function renderPlugins({ plugins }: SourceView, style: Output["style"]): string[] {
  const rows = plugins.map(({ name, outcome, skills, commit, where, reason }) => [
    safeLine(name),
    outcome,
    String(skills),
    commit === null ? "-" : short(commit),
    safeLine(reason ?? where ?? "", 500),
  ]);
  return rows.length === 0 ? [] : ["", renderTable(["plugin", "outcome", "skills", "pin", "from"], rows, style)];
}

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
  const plugins = (result.children ?? []).length === 0 ? [] : [`  ${renderOutcomes(result.children ?? [])}`];
  return [`${name}: ${sumOf(result)}${partial}${cost}`, ...plugins, ...renderFindings(result.findings, style)].join(
    "\n",
  );
}

function costOf({ pin, requests, bytes }: SyncResult): string {
  const at = pin === null ? "" : `at ${short(pin)}, `;
  return `${at}${plural(requests, "request")}, ${renderSize(bytes)}`;
}

/** What became of the plugins of a marketplace (IN-14). Findings name those that were not read, and say why. */
function renderOutcomes(children: readonly ChildState[]): string {
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

function isFailure(result: SyncReport["results"][number]): result is SyncFailure {
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
