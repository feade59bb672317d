import type { EntryLine, RevisionView } from "../../app/entry-view.ts";
import type { Page } from "../../app/page.ts";
import type { ProvenanceView } from "../../app/provenance-view.ts";
import { type Level, levels } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { Decision } from "../../registry/decision.ts";
import { capabilityKinds } from "../../review/capabilities.ts";
import type { Union } from "../../review/union.ts";
import type { Output } from "./output.ts";
import { renderFindings, renderTable, short, when } from "./render.ts";
import { shellWord } from "./shell-word.ts";

type Style = Output["style"];

const longest = 500;

/** An id as it is shown: the whole of it, with nothing unseen in it. */
export function shownId(id: string): string {
  return safeLine(id, longest);
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
export function renderMore(page: Page<EntryLine>, command: string): string[] {
  if (page.next === null) return [];
  return ["", `${page.more} more: ${command} --after ${shellWord(page.next)}`];
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
