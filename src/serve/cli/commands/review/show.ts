import type { App } from "../../../../app/app.ts";
import { readRaw, type ReviewView, showReview } from "../../../../app/reviews.ts";
import { blocks } from "../../../../base/finding.ts";
import { safeLine } from "../../../../base/text.ts";
import type { VisibleFile } from "../../../../review/visible.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { renderCapabilities } from "../../render-capabilities.ts";
import { renderFields, renderFindings, short, show } from "../../render.ts";
import { renderDiff } from "../../render-diff.ts";
import {
  renderDecisions,
  renderNoticed,
  renderProvenance,
  renderRevision,
  renderSection,
  shownId,
} from "../../render-registry.ts";
import { findingsInPlace, renderFiles } from "../../render-text.ts";
import { shellWord } from "../../shell-word.ts";

/** What is shown of one entry: all of it, or one part alone. */
export type Part = "all" | "diff" | "raw" | "findings";

export async function showOne(app: App, call: Call, output: Output, part: Part): Promise<ExitCode> {
  const typed = call.args[0] ?? "";
  const view = await showReview(app, typed);
  // A person reads what is new as it is; a program asks for it.
  const isWanted = part === "raw" || (part === "all" && view.diff.from === null && call.options["json"] !== true);
  const raw = isWanted && view.revision.tampering.length === 0 ? await readRaw(app, typed) : [];
  const value = part === "raw" ? { ...view, raw } : view;
  show(output, call, value, () => renderPart(part, view, raw, output.style));
  return view.noticed.length + view.revision.tampering.length === 0 ? exit.fine : exit.findings;
}

function renderPart(part: Part, view: ReviewView, raw: readonly VisibleFile[], style: Output["style"]): string {
  const { findings } = view.revision;
  if (part === "diff") return renderDiff(view.diff, findings, style);
  if (part === "raw") return renderFiles(raw, findingsInPlace(findings, style), style).join("\n").trimStart();
  if (part === "findings") return renderReasons(view, style);
  return renderReview(view, raw, style);
}

/** The findings, and once for each kind why it matters (RV-6). */
function renderReasons({ revision: { findings }, reasons }: ReviewView, style: Output["style"]): string {
  if (findings.length === 0) return "No findings.";
  const lines = Object.entries(reasons).map(([code, why]) => `  ${style("bold", code)}  ${why}`);
  return [...renderFindings(findings, style), ...renderSection("Why it matters", lines, style)].join("\n");
}

function renderReview(view: ReviewView, raw: readonly VisibleFile[], style: Output["style"]): string {
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
function commandsFor(view: ReviewView, style: Output["style"]): string[] {
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
