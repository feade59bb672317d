import type { Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { Piece, VisibleFile } from "../../review/visible.ts";
import type { Output } from "./output.ts";
import { colours } from "./render.ts";
import { shownId } from "./render-registry.ts";

type Style = Output["style"];

/** What stands for something unseen looks different from text that reads the same. */
export function renderPieces(pieces: readonly Piece[], style: Style, changed: Parameters<Style>[0] = "bold"): string {
  return pieces
    .map(({ text, mark, hidden }) => {
      const shown = hidden ? style("inverse", text) : text;
      return mark === "changed" ? style(changed, shown) : shown;
    })
    .join("");
}

/** Findings by the line they are about, to be shown below it. */
export type InPlace = (file: string, line: number | null) => readonly string[];

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
