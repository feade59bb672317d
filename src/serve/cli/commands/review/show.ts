import type { App } from "../../../../app/app.ts";
import { type ReviewView, showReview } from "../../../../app/reviews.ts";
import { blocks } from "../../../../base/finding.ts";
import { safeLine } from "../../../../base/text.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { renderFields, short, show } from "../../render.ts";
import { renderDecisions, renderNoticed, renderRevision, renderSection, shownId } from "../../render-registry.ts";
import { shellWord } from "../../shell-word.ts";

export async function showOne(app: App, call: Call, output: Output): Promise<ExitCode> {
  const view = await showReview(app, call.args[0] ?? "");
  show(output, call, view, () => renderReview(view, output.style));
  return view.noticed.length + view.revision.tampering.length === 0 ? exit.fine : exit.findings;
}

function renderReview(view: ReviewView, style: Output["style"]): string {
  const { revision } = view;
  const fields: [string, string][] = [
    ["entry", style("bold", shownId(view.entry))],
    ["state", `${view.state}: ${safeLine(view.reason, 500)}`],
    ["digest", revision.digest],
    ["in use", view.inUse === null ? "nothing" : view.inUse === view.current ? "these bytes" : short(view.inUse)],
    ["name", revision.name],
    ["description", safeLine(revision.description, 1024)],
    ["verdicts", verdictsOf(view)],
    ["trust", view.trust ?? "its source is gone"],
    ["asks for", revision.grants.length === 0 ? "no tools" : safeLine(revision.grants.join(", "), 1024)],
  ];
  return [
    renderFields(fields, style),
    ...renderRevision(revision, style),
    ...renderDecisions(view.decisions, style),
    ...renderNoticed(view.noticed, style),
    ...renderSection("Decide on exactly these bytes", commandsFor(view, style), style),
  ].join("\n");
}

function verdictsOf({ revision: { loadable, strict, kind, support } }: ReviewView): string {
  const verdicts = [loadable ? "loadable" : "not loadable", strict ? "strict" : "not strict", kind];
  return [...verdicts, support === null ? null : `${support} support`].filter((word) => word !== null).join(" · ");
}

/** What can be done now: nothing is offered that would be refused. */
function commandsFor({ entry, state, current, decisions, revision }: ReviewView, style: Output["style"]): string[] {
  const review = `skillward review ${shellWord(entry)}`;
  const wasApproved = decisions.some(({ word, digest }) => word === "approve" && digest !== current);
  const mayApprove =
    state !== "orphaned" && state !== "enabled" && revision.loadable && revision.tampering.length === 0;
  const commands: [string, string][] = [];
  if (wasApproved) commands.push(["  see the changes", `skillward skill diff ${shellWord(entry)}`]);
  if (mayApprove)
    commands.push(["  approve", `${review} --approve --digest ${current}${overridesFor(decisions, revision)}`]);
  if (mayApprove && revision.grants.length > 0)
    commands.push(["", "(with --no-grants: without pre-approving its tools)"]);
  if (state === "enabled") commands.push(["  switch off", `${review} --disable`]);
  else commands.push(["  reject", `${review} --reject --digest ${current}`]);
  return [renderFields(commands, style)];
}

/** What blocks must be lifted with the approval. */
function overridesFor(decisions: ReviewView["decisions"], { digest, findings }: ReviewView["revision"]): string {
  const lifted = new Set(decisions.flatMap((each) => (each.digest === digest ? each.overrides : [])));
  const open = new Set(findings.filter((each) => blocks(each) && !lifted.has(each.code)).map(({ code }) => code));
  return open.size === 0 ? "" : ` ${[...open].map((code) => `--override ${code}`).join(" ")} --reason "…"`;
}
