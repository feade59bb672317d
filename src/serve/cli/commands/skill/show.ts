import { showSkill, type SkillView } from "../../../../app/skills.ts";
import { safeLine } from "../../../../base/text.ts";
import { exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { renderCapabilities } from "../../render-capabilities.ts";
import { renderFields, short, show, when } from "../../render.ts";
import { renderDecisions, renderNoticed, renderProvenance, renderRevision, shownId } from "../../render-registry.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const view = await showSkill(app, call.args[0] ?? "");
  show(output, call, view, () => renderSkill(view, output.style));
  return view.noticed.length + view.revision.tampering.length === 0 ? exit.fine : exit.findings;
});

function renderSkill(view: SkillView, style: Output["style"]): string {
  const { revision, granted, attachedTo } = view;
  const fields: [string, string][] = [
    ["skill", style("bold", revision.name)],
    ["entry", shownId(view.entry)],
    ["state", `${view.state}: ${safeLine(view.reason, 500)}`],
    ["in use", view.inUse ?? "nothing"],
    ["current", view.current === view.inUse ? "the same" : view.current],
    ["description", safeLine(revision.description, 1024)],
    ["asks for", revision.grants.length === 0 ? "no tools" : safeLine(revision.grants.join(", "), 1024)],
    ["pre-approved", granted.length === 0 ? "nothing" : safeLine(granted.join(", "), 1024)],
    ["reaches", renderCapabilities(revision.capabilities)],
    ["support", supportOf(view)],
    ["trust", view.trust ?? "its source is gone"],
    ["from", fromOf(view)],
    ["seen", seenOf(view)],
    ["attached to", attachedTo.length === 0 ? "nothing" : attachedTo.join(", ")],
  ];
  return [
    renderFields(fields, style),
    ...renderProvenance(view.provenance, style),
    ...renderRevision(revision, style),
    ...renderDecisions(view.decisions, style),
    ...renderNoticed(view.noticed, style),
  ].join("\n");
}

function supportOf({ revision: { support } }: SkillView): string {
  if (support === null) return "cannot be loaded";
  return support === "full" ? "full: all of it is in its text" : "partial: it speaks of tools or files beside its text";
}

function fromOf({ source, provenance: { kind, url, path, commit } }: SkillView): string {
  const place = kind === null ? "removed" : `${kind} ${safeLine(url ?? "", 500)}`;
  const pinned = commit === null ? "" : ` at ${short(commit)}`;
  return `${source} (${place}), ${path === "" ? "its root" : shownId(path)}${pinned}`;
}

function seenOf({ provenance: { firstSeen, lastChanged } }: SkillView): string {
  const first = `first ${when(firstSeen)}`;
  return firstSeen === lastChanged ? first : `${first}, last change ${when(lastChanged)}`;
}
