import type { VisibleFile } from "../../../diff/visible.ts";
import { type Block, block, fileLine, gap, lineOf } from "../body.ts";
import { line, prose, rule, span } from "../../line.ts";
import type { ReviewState } from "../state.ts";
import { short, sizeOf } from "../words.ts";
import { inPlace, placeFindings } from "./findings.ts";

/** Every file as it is, the findings in place: the first look at something new (RV-4). */
export function rawBlocks(review: ReviewState, columns: number): readonly Block[] {
  const { raw } = review;
  if (raw === "unread" || raw === "reading") return [block([line("reading its files…", "dim")])];
  if ("failed" in raw) return [block(prose(`Its files cannot be shown: ${raw.failed}`, columns, "red"))];
  const paths = new Set(raw.map(({ path }) => path));
  const elsewhere = review.findings.flatMap(({ at }, index) =>
    paths.has(at.file) ? [] : [inPlace(review, index, 0, columns, ` (${at.file})`)],
  );
  const files = raw.flatMap((file) => fileBlocks(review, file, columns));
  return elsewhere.length === 0 ? files : [...elsewhere, gap, ...files];
}

function fileBlocks(review: ReviewState, file: VisibleFile, columns: number): Block[] {
  const known = review.view.revision.files.find(({ path }) => path === file.path);
  const told = known === undefined ? "" : ` · ${sizeOf(known.size)} · ${short(known.digest)}`;
  const title = block([rule(`${file.path}${told}`, columns, "bold")]);
  const found = placeFindings(review.findings).get(file.path) ?? new Map<number, readonly number[]>();
  if (file.lines === null) {
    const all = [...found.values()].flat().map((index) => inPlace(review, index, 2, columns));
    return [title, block([line("  not text: only its size and its hash can be told", "yellow")]), ...all, gap];
  }
  const count = file.lines.length;
  const digits = Math.max(3, String(count).length);
  const follow = line(`${" ".repeat(digits)} ┊ `, "dim");
  const here = (index: number) => inPlace(review, index, digits + 1, columns);
  const lines = file.lines.flatMap((pieces, index) => {
    const lead = [span(`${String(index + 1).padStart(digits)} │ `, "dim")];
    const own = fileLine(lead, follow, lineOf(pieces), columns - digits - 3);
    const about = found.get(index + 1);
    return about === undefined ? [own] : [own, ...about.map(here)];
  });
  const beyond = [...found].flatMap(([at, about]) => (at > count ? about.map(here) : []));
  const empty = count === 0 ? [block([line("  empty", "dim")])] : [];
  return [title, ...empty, ...lines, ...beyond, gap];
}
