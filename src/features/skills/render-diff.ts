import type { SkillDiff } from "./schema.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { BundleDiff, Delta, DiffLine, FileDiff } from "../../diff/diff.ts";
import type { Piece, VisibleFile } from "../../diff/visible.ts";
import type { Output } from "../command/output.ts";
import { colours, plural, renderFindings, short } from "../command/render.ts";
import { renderSection, renderSize, shownId } from "./render.ts";

type Style = Output["style"];

export function renderDiff(diff: SkillDiff, findings: readonly Finding[], style: Style): string {
  return [
    headOf(diff, style),
    ...renderBundleDiff(diff, findings, style),
    ...renderSection("Changed by hand", renderFindings(diff.tampering, style), style),
  ].join("\n");
}

/** What changed, what matters for security first (RV-4, T28), findings below the lines they are about. */
export function renderBundleDiff(diff: BundleDiff, findings: readonly Finding[], style: Style): string[] {
  const inPlace = findingsInPlace(findings, style);
  const fields = diff.fields.flatMap(({ field, before, after }) => [
    ...(before === null ? [] : [style("red", `  - ${field}: ${safeLine(before, 500)}`)]),
    ...(after === null ? [] : [style("green", `  + ${field}: ${safeLine(after, 500)}`)]),
  ]);
  return [
    ...renderSection(
      "Look at this first",
      diff.delta.map((delta) => renderDelta(delta, style)),
      style,
    ),
    ...renderSection("Front-matter", fields, style),
    ...diff.files.flatMap((file) => renderFile(file, inPlace, style)),
  ];
}

function headOf({ entry, from, to, files, unchanged }: SkillDiff, style: Style): string {
  const name = style("bold", shownId(entry));
  if (from === null) return `${name} ${short(to)}: nothing of it was ever approved, all of its files are new`;
  const compared = `${name} ${short(to)} against ${short(from.digest)}, the revision ${from.is === "in use" ? "in use" : "approved last"}`;
  if (files.length === 0) return `${compared}: the same bytes`;
  return `${compared}: ${plural(files.length, "file")} different, ${unchanged} the same`;
}

const signs: Readonly<Record<Delta["change"], string>> = { added: "+", removed: "-", changed: "~" };

function renderDelta({ kind, change, what, at }: Delta, style: Style): string {
  const where = at === null ? "" : style("dim", `  ${shownId(at.file)}:${at.line}`);
  const said = `  ${signs[change]} ${kind.padEnd(11)} ${safeLine(what, 300)}`;
  return `${change === "removed" ? style("dim", said) : style("yellow", said)}${where}`;
}

function renderFile(file: FileDiff, inPlace: InPlace, style: Style): string[] {
  const { path, change, from, before, after, added, removed, left, notes, hunks } = file;
  const moved = from === null ? "" : ` from ${shownId(from)}`;
  const sizes = [before, after].flatMap((version) => (version === null ? [] : [renderSize(version.size)])).join(" -> ");
  const digests = [before, after].flatMap((version) => (version === null ? [] : [short(version.digest)])).join(" -> ");
  const counts = file.shows === "text" ? `, +${added} -${removed} lines` : "";
  return [
    "",
    `${style("bold", shownId(path))}  ${change}${moved}, ${sizes}${counts}  ${style("dim", digests)}`,
    ...notes.map((note) => `  ${style("yellow", note)}`),
    ...hunks.flatMap(({ lines }, at) => renderHunk(lines, at > 0, path, inPlace, style)),
    ...(left === 0 ? [] : [style("dim", `  ${plural(left, "changed line")} more; see the whole file with --raw`)]),
  ];
}

function renderHunk(
  lines: readonly DiffLine[],
  isLater: boolean,
  path: string,
  inPlace: InPlace,
  style: Style,
): string[] {
  const shown = lines.flatMap((line) => [renderLine(line, style), ...inPlace(path, line.after)]);
  return isLater ? [style("dim", "  ..."), ...shown] : shown;
}

function renderLine({ kind, before, after, pieces }: DiffLine, style: Style): string {
  const number = String(after ?? before ?? "").padStart(5);
  if (kind === "same") return `  ${style("dim", number)}   ${renderPieces(pieces, style)}`.trimEnd();
  const [sign, colour] = kind === "added" ? (["+", "green"] as const) : (["-", "red"] as const);
  return `  ${style("dim", number)} ${style(colour, sign)} ${style(colour, renderPieces(pieces, style, "underline"))}`;
}

/** What stands for something unseen looks different from text that reads the same. */
function renderPieces(pieces: readonly Piece[], style: Style, changed: Parameters<Style>[0] = "bold"): string {
  return pieces
    .map(({ text, mark, hidden }) => {
      const shown = hidden ? style("inverse", text) : text;
      return mark === "changed" ? style(changed, shown) : shown;
    })
    .join("");
}

/** Findings by the line they are about, to be shown below it. */
type InPlace = (file: string, line: number | null) => readonly string[];

export function findingsInPlace(findings: readonly Finding[], style: Style): InPlace {
  const byPlace = new Map<string, string[]>();
  for (const { code, level, message, at, excerpt, decoded } of findings) {
    // It is about the file as a whole, or about more than that.
    if (at.line === 1 && excerpt === undefined) continue;
    const key = `${at.line} ${at.file}`;
    const said = `        ${style(colours[level], `^ ${level} ${code}`)} ${safeLine(message, 300)}`;
    const lines = decoded === undefined ? [said] : [said, `          decoded: ${style("inverse", decoded)}`];
    byPlace.set(key, [...(byPlace.get(key) ?? []), ...lines]);
  }
  return (file, line) => (line === null ? [] : (byPlace.get(`${line} ${file}`) ?? []));
}

/** Whole files with their line numbers and the findings in place. */
export function renderFiles(files: readonly VisibleFile[], inPlace: InPlace, style: Style): string[] {
  return files.flatMap(({ path, lines }) => {
    const title = style("bold", shownId(path));
    if (lines === null) return ["", `${title}  ${style("dim", "not text: only its size and sha256 can be compared")}`];
    const width = String(lines.length).length;
    return [
      "",
      title,
      ...lines.flatMap((pieces, at) => [
        `  ${style("dim", String(at + 1).padStart(width))}  ${renderPieces(pieces, style)}`.trimEnd(),
        ...inPlace(path, at + 1),
      ]),
    ];
  });
}
