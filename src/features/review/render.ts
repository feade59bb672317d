import { blocks } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { VisibleFile } from "../../diff/visible.ts";
import type { Word } from "../../registry/ledger/decision.ts";
import { shellWord, typedAgain } from "../command/call.ts";
import type { Call } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import {
  plural,
  renderCapabilities,
  renderFields,
  renderFindings,
  renderTable,
  short,
  when,
} from "../command/render.ts";
import { findingsInPlace, renderDiff, renderFiles } from "../skills/render-diff.ts";
import {
  renderCounts,
  renderDecisions,
  renderMore,
  renderNoticed,
  renderProvenance,
  renderRevision,
  renderSection,
  shownId,
} from "../skills/render.ts";
import type { Blocked, CleanReport, Queue, ReviewView, Said } from "./schema.ts";
import type { BlockWord } from "../../registry/schema.ts";

type Style = Output["style"];

export function renderQueue(queue: Queue, call: Call, style: Style): string {
  const rows = queue.items.map(({ entry, state, current, findings, reason }) => [
    shownId(entry),
    state,
    short(current),
    renderCounts(findings),
    safeLine(reason, 500),
  ]);
  const table = renderTable(["entry", "state", "digest", "findings", "why"], rows, style);
  return [
    rows.length === 0 ? "Nothing waits for review." : table,
    ...renderMore(queue, `skillward review${typedAgain(call, ["source", "limit"])}`),
    ...renderTurnedDown(queue),
    ...renderNoticed(queue.noticed, style),
  ].join("\n");
}

function renderTurnedDown({ turnedDown }: Queue): string[] {
  if (turnedDown === 0) return [];
  const [are, their] = turnedDown === 1 ? ["is", "its"] : ["are", "their"];
  return [
    "",
    `${turnedDown} more ${are} held or blocked with ${their} current bytes turned down: skillward skill list`,
  ];
}

/** What is shown of one entry: all of it, or one part alone. */
export type Part = "all" | "diff" | "raw" | "findings";

export function renderPart(part: Part, view: ReviewView, raw: readonly VisibleFile[], style: Style): string {
  const { findings } = view.revision;
  if (part === "diff") return renderDiff(view.diff, findings, style);
  if (part === "raw") return renderFiles(raw, findingsInPlace(findings, style), style).join("\n").trimStart();
  if (part === "findings") return renderReasons(view, style);
  return renderReview(view, raw, style);
}

/** The findings, and once for each kind why it matters (RV-6). */
function renderReasons({ revision: { findings }, reasons }: ReviewView, style: Style): string {
  if (findings.length === 0) return "No findings.";
  const lines = Object.entries(reasons).map(([code, why]) => `  ${style("bold", code)}  ${why}`);
  return [...renderFindings(findings, style), ...renderSection("Why it matters", lines, style)].join("\n");
}

function renderReview(view: ReviewView, raw: readonly VisibleFile[], style: Style): string {
  const { revision, diff } = view;
  const fields: [string, string][] = [
    ["entry", style("bold", shownId(view.entry))],
    ["state", `${view.state}: ${safeLine(view.reason, 500)}`],
    ["digest", revision.digest],
    ["in use", view.inUse === null ? "nothing" : view.inUse === view.current ? "these bytes" : short(view.inUse)],
    ["name", revision.name],
    ["description", safeLine(revision.description, 1024)],
    ["verdicts", verdictsOf(view)],
    ["trust", view.trust ?? "its source is gone"],
    ...renderApprovals(view),
    ["asks for", revision.grants.length === 0 ? "no tools" : safeLine(revision.grants.join(", "), 1024)],
    ["reaches", renderCapabilities(revision.capabilities)],
  ];
  return [
    renderFields(fields, style),
    ...renderProvenance(view.provenance, style),
    ...renderRevision(revision, style),
    ...renderSection("As it is", renderFiles(raw, findingsInPlace(revision.findings, style), style).slice(1), style),
    ...(diff.from === null || diff.files.length === 0 ? [] : ["", renderDiff(diff, revision.findings, style)]),
    ...renderDecisions(view.decisions, style),
    ...renderNoticed(view.noticed, style),
    ...renderSection("Decide on exactly these bytes", commandsFor(view, style), style),
  ].join("\n");
}

/** Where it takes more than one person (RV-5). */
function renderApprovals({ approvals: { needed, by } }: ReviewView): [string, string][] {
  if (needed === 1) return [];
  return [["approvals", `${by.length} of ${needed}${by.length === 0 ? "" : `: ${safeLine(by.join(", "))}`}`]];
}

function verdictsOf({ revision: { loadable, strict, kind, support } }: ReviewView): string {
  const verdicts = [loadable ? "loadable" : "not loadable", strict ? "strict" : "not strict", kind];
  return [...verdicts, support === null ? null : `${support} support`].filter((word) => word !== null).join(" · ");
}

/** What can be done now: nothing is offered that would be refused. */
function commandsFor(view: ReviewView, style: Style): string[] {
  const { entry, state, current, decisions, revision, refusals } = view;
  const review = `skillward review ${shellWord(entry)}`;
  const isApprovable =
    state !== "orphaned" && state !== "enabled" && revision.loadable && revision.tampering.length === 0;
  const why = refusals.decide ?? (isApprovable ? refusals.approve : null);
  const commands: [string, string][] = [];
  if (revision.findings.length > 0) commands.push(["  why findings matter", `${review} --findings`]);
  if (why !== null) commands.push(["  not by you", why]);
  if (isApprovable && why === null) {
    commands.push(["  approve", `${review} --approve --digest ${current}${overridesFor(decisions, revision)}`]);
    if (revision.grants.length > 0) commands.push(["", "(with --no-grants: without pre-approving its tools)"]);
  }
  if (refusals.decide === null)
    commands.push(
      state === "enabled"
        ? ["  switch off", `${review} --disable`]
        : ["  reject", `${review} --reject --digest ${current}`],
    );
  return [renderFields(commands, style)];
}

/** What blocks must be lifted with the approval. */
function overridesFor(decisions: ReviewView["decisions"], { digest, findings }: ReviewView["revision"]): string {
  const lifted = new Set(decisions.flatMap((each) => (each.digest === digest ? each.overrides : [])));
  const open = new Set(findings.filter((each) => blocks(each) && !lifted.has(each.code)).map(({ code }) => code));
  return open.size === 0 ? "" : ` ${[...open].map((code) => `--override ${code}`).join(" ")} --reason "…"`;
}

const past: Readonly<Record<Word, string>> = {
  approve: "Approved",
  reject: "Rejected",
  disable: "Disabled",
  override: "Overridden in",
};

export function renderSaid({ decisions, standing }: Said, style: Style): string {
  const lines = decisions.map(({ word, entry, digest, grants, overrides }) => {
    const what = overrides.length === 0 ? "" : `: ${safeLine(overrides.join(", "), 500)}`;
    const tools = grants.length === 0 ? "" : `, with pre-approval of ${safeLine(grants.join(", "), 500)}`;
    return `${past[word]} ${style("bold", shownId(entry))} ${short(digest)}${what}${tools}`;
  });
  const inUse = standing.inUse === null ? "nothing of it is in use" : `${short(standing.inUse)} is in use`;
  return [...lines, `It is ${standing.state} now: ${safeLine(standing.reason, 500)}; ${inUse}`].join("\n");
}

/** A person reads no more than this; `review` lists them all. */
const mostListed = 50;

export function renderClean({ approved, withGrants, leftOut }: CleanReport, style: Style): string {
  const tools = withGrants.length === 0 ? "" : `, ${withGrants.length} of them with pre-approved tools`;
  const rows = leftOut.slice(0, mostListed).map(({ entry, why }) => [shownId(entry), safeLine(why, 500)]);
  const rest = leftOut.length - rows.length;
  const more = rest > 0 ? [`${rest} more: skillward review`] : [];
  const table = rows.length === 0 ? [] : [renderTable(["entry", "why"], rows, style), ...more];
  const title = `${plural(leftOut.length, "skill")} left for a closer look`;
  return [`Approved ${plural(approved.length, "skill")}${tools}`, ...renderSection(title, table, style)].join("\n");
}

export function renderBlocked({ block: { word, kind, value }, changed }: Blocked, style: Style): string {
  const what = `${kind} ${style("bold", shownId(value))}`;
  const skills = changed === 0 ? "no skill" : plural(changed, "skill");
  if (word === "block") return `Blocked ${what}: ${skills} went out of use`;
  return `Lifted the block of ${what}: ${skills} came back into use`;
}

export function renderBlocks(standing: readonly BlockWord[], style: Style): string {
  if (standing.length === 0) return "Nothing is blocked.";
  const rows = standing.map(({ kind, value, at, by, note }) => [
    kind,
    kind === "digest" ? short(value) : shownId(value),
    when(at),
    safeLine(by),
    safeLine(note, 500),
  ]);
  return renderTable(["kind", "what", "since", "by", "why"], rows, style);
}
