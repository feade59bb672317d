import type { ProvenanceView, RevisionLine, RevisionView, Skills, SkillView } from "./schema.ts";
import { type Level, levels } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { capabilityKinds, type Union } from "../../scan/capabilities.ts";
import { shellWord, typedAgain } from "../command/call.ts";
import type { Call } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { renderCapabilities, renderFields, renderFindings, renderTable, short, when } from "../command/render.ts";
import type { Decision } from "../../registry/schema.ts";

type Style = Output["style"];

const longest = 500;

/** An id as it is shown: the whole of it, with nothing unseen in it. */
export function shownId(id: string): string {
  return safeLine(id, longest);
}

export function renderSkills(skills: Skills, call: Call, style: Style): string {
  const rows = skills.items.map(({ name, entry, state, inUse, current, trust, source }) => [
    name,
    shownId(entry),
    state,
    short(inUse ?? current),
    trust ?? "–",
    source,
  ]);
  const table = renderTable(["name", "entry", "state", "digest", "trust", "source"], rows, style);
  const filters = typedAgain(call, ["state", "source", "limit"]);
  return [
    rows.length === 0 ? nothing(filters !== "") : table,
    ...renderMore(skills, `skillward skill list${filters}`),
    ...renderNoticed(skills.noticed, style),
  ].join("\n");
}

function nothing(isFiltered: boolean): string {
  return isFiltered ? "No skill fits." : "No skills yet. Add a source: skillward source add owner/repo";
}

export function renderSkill(view: SkillView, style: Style): string {
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

export function renderRevisions(revisions: readonly RevisionLine[], style: Style): string {
  const rows = revisions.map(({ digest, seenAt, current, inUse, decisions }) => {
    const is = [current ? "current" : "", inUse ? "in use" : ""].filter((word) => word !== "").join(", ");
    const latest = decisions.findLast(({ word }) => word !== "override");
    const said = latest === undefined ? "none" : `${latest.word} by ${safeLine(latest.by)}, ${when(latest.at)}`;
    return [short(digest), when(seenAt), is, said];
  });
  return renderTable(["digest", "first seen", "is", "latest word"], rows, style);
}

/** `1 high, 2 low`. */
export function renderCounts(counts: Readonly<Partial<Record<Level, number>>>): string {
  const heaviestFirst = levels.toReversed().filter((level) => counts[level] !== undefined);
  return heaviestFirst.length === 0 ? "none" : heaviestFirst.map((level) => `${counts[level]} ${level}`).join(", ");
}

export function renderSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** A heading with lines below it; nothing at all without lines. */
export function renderSection(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ["", style("bold", title), ...lines];
}

/** The files of a revision, its findings, and what is not as it was. */
export function renderRevision({ files, findings, tampering, inPrompts }: RevisionView, style: Style): string[] {
  const rows = files.map(({ path, size, digest }) => [shownId(path), renderSize(size), digest]);
  return [
    ...renderSection(
      "Files",
      rows.length === 0 ? [] : indent(renderTable(["file", "size", "sha256"], rows, style)),
      style,
    ),
    ...renderSection("Findings", renderFindings(findings, style), style),
    ...renderSection("In a prompt", renderChanges(inPrompts), style),
    ...renderSection("Changed by hand", renderFindings(tampering, style), style),
  ];
}

/** CO-5: what is approved is also how it is rendered, so whoever approves sees it. */
function renderChanges(inPrompts: RevisionView["inPrompts"]): string[] {
  const { replaced = [], defused = [] } = inPrompts ?? {};
  return [
    ...replaced.map(({ path, line }) => `  line ${line} of the body: a note stands for the file ${shownId(path)}`),
    ...defused.map((line) => `  line ${line} of the body: text that reads like a marker is defused`),
  ];
}

/** What skills can reach for together, and which of them do; nothing when the scanner saw nothing of the kind. */
export function renderUnion(union: Union, style: Style): string[] {
  const rows = capabilityKinds.flatMap((kind) =>
    union[kind].map(({ what, of }) => [kind, safeLine(what, longest), safeLine(of.join(", "), longest)]),
  );
  const table = rows.length === 0 ? [] : indent(renderTable(["reach", "what", "of"], rows, style));
  return renderSection("Together they can reach", table, style);
}

/** Where it comes from, link by link (RV-4). */
export function renderProvenance({ links }: ProvenanceView, style: Style): string[] {
  const lines = links.map(({ what, proven }) => {
    const verdict = proven ? style("green", "proven    ") : style("yellow", "not proven");
    return `  ${verdict}  ${safeLine(what, longest)}`;
  });
  return renderSection("Provenance", lines, style);
}

export function renderDecisions(decisions: readonly Decision[], style: Style): string[] {
  const rows = decisions.map(({ at, by, word, digest, overrides, note }) => [
    when(at),
    safeLine(by),
    overrides.length === 0 ? word : `${word} ${safeLine(overrides.join(", "))}`,
    short(digest),
    safeLine(note, longest),
  ]);
  const table = rows.length === 0 ? [] : indent(renderTable(["when", "who", "word", "digest", "note"], rows, style));
  return renderSection("Decisions", table, style);
}

/** What was noticed about the registry as a whole. */
export function renderNoticed(noticed: Parameters<typeof renderFindings>[0], style: Style): string[] {
  return renderSection("Noticed in the registry", renderFindings(noticed, style), style);
}

/** Nothing is left out of a list without saying so, and how to see it. */
export function renderMore(page: Pick<Skills, "more" | "next">, command: string): string[] {
  if (page.next === null) return [];
  return ["", `${page.more} more: ${command} --after ${shellWord(page.next)}`];
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
