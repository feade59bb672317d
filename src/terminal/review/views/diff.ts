import type { Delta, DiffLine, FieldChange, FileDiff } from "../../../diff/diff.ts";
import { type Block, block, fileLine, gap, lineOf } from "../body.ts";
import type { Opened } from "../desk.ts";
import { hang, line, type Line, type Look, prose, rule, span } from "../../line.ts";
import type { ReviewState } from "../state.ts";
import { plural } from "../../wording.ts";
import { short, sizeOf } from "../words.ts";
import { inPlace, placeFindings } from "./findings.ts";

/** What changed: the security-relevant delta first, then front-matter and tools, then the files (RV-4, T28). */
export function diffBlocks(review: ReviewState, columns: number): readonly Block[] {
  const { diff } = review.view;
  const seen = new Set<number>();
  const files = diff.files.flatMap((file) => fileBlocks(review, file, columns, seen));
  return [
    block(prose(headOf(review.view), columns, "dim")),
    gap,
    ...deltaBlocks(diff.delta, columns),
    ...fieldBlocks(diff.fields, columns),
    ...toolBlocks(diff.tools, columns),
    ...files,
    ...elsewhereBlocks(review, seen, columns),
  ];
}

function headOf({ diff: { from, files, unchanged } }: Opened): string {
  if (from === null) return "Nothing of it was ever approved: all of it is new.";
  const compared = `Against ${short(from.digest)}, ${from.is === "in use" ? "which is in use" : "which was approved last"}`;
  if (files.length === 0) return `${compared}: the same bytes.`;
  return `${compared}: ${plural(files.length, "file")} different, ${unchanged} the same.`;
}

const signs = { added: "+", removed: "-", changed: "~" } as const;
const looks: Readonly<Record<Delta["change"], readonly Look[]>> = {
  added: ["yellow", "bold"],
  changed: ["yellow"],
  removed: ["dim"],
};

function deltaBlocks(delta: readonly Delta[], columns: number): Block[] {
  const title = block([rule("Look at this first", columns, "bold", "yellow")]);
  if (delta.length === 0)
    return [title, block(prose("  No new hosts, commands, secrets, tools or hidden text were seen.", columns)), gap];
  const rows = delta.map(({ kind, change, what, at }) => {
    const lead = line(`  ${signs[change]} ${kind.padEnd(12)}`, ...looks[change]);
    const where = at === null ? [] : [span(`  ${at.file}:${at.line}`, "cyan")];
    return block(hang(lead, line(" ".repeat(16)), [span(what), ...where], columns));
  });
  return [{ ...title, isStop: true }, ...rows, gap];
}

function fieldBlocks(fields: readonly FieldChange[], columns: number): Block[] {
  if (fields.length === 0) return [];
  const rows = fields.map(({ field, before, after }) => {
    const [removed, added] = [span("    - ", "red"), span("    + ", "green")];
    return block([
      ...hang(line("  "), line("  "), line(field, "bold"), columns),
      ...(before === null ? [] : hang([removed], line("      "), line(before, "red"), columns)),
      ...(after === null ? [] : hang([added], line("      "), line(after, "green"), columns)),
    ]);
  });
  return [{ ...block([rule("Front-matter", columns, "bold")]), isStop: true }, ...rows, gap];
}

function toolBlocks({ added, removed }: Opened["diff"]["tools"], columns: number): Block[] {
  if (added.length + removed.length === 0) return [];
  const row = (sign: string, look: Look) => (tool: string) =>
    block(hang(line(`  ${sign} `, look), line("    "), line(tool, look), columns));
  const title = block([rule("Tools that it asks for", columns, "bold")]);
  return [{ ...title, isStop: true }, ...added.map(row("+", "green")), ...removed.map(row("-", "red")), gap];
}

function fileBlocks(review: ReviewState, file: FileDiff, columns: number, seen: Set<number>): Block[] {
  const found = placeFindings(review.findings).get(file.path) ?? new Map<number, readonly number[]>();
  const digits = digitsOf(file);
  const about = (at: number | null) => {
    const indexes = at === null ? [] : (found.get(at) ?? []);
    for (const index of indexes) seen.add(index);
    return indexes.map((index) => inPlace(review, index, 2 * digits + 2, columns));
  };
  const hunks = file.hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [block([line(`${" ".repeat(digits)} ⋯`, "dim")])]),
    ...lines.flatMap((each, at) => [
      diffLine(each, digits, columns, isChangeStart(lines, at)),
      ...about(each.kind === "removed" ? null : each.after),
    ]),
  ]);
  const rest = [...found].flatMap(([at, indexes]) => indexes.map((index) => ({ at, index })));
  const unseen = rest.filter(({ index }) => !seen.has(index));
  for (const { index } of unseen) seen.add(index);
  const others = unseen.map(({ at, index }) => inPlace(review, index, 2, columns, ` (line ${at}, not in the diff)`));
  return [
    block([rule(titleOf(file), columns, "bold")], { isStop: file.hunks.length === 0 }),
    ...notesOf(file).map((note) => block(hang(line("  "), line("  "), line(note, "yellow"), columns))),
    ...hunks,
    ...others,
    gap,
  ];
}

function digitsOf({ hunks }: FileDiff): number {
  const last = hunks.at(-1)?.lines.at(-1);
  return Math.max(3, String(Math.max(last?.before ?? 0, last?.after ?? 0)).length);
}

function isChangeStart(lines: readonly DiffLine[], at: number): boolean {
  return lines[at]?.kind !== "same" && (lines[at - 1]?.kind ?? "same") === "same";
}

const kinds = { same: " ", added: "+", removed: "-" } as const;
const kindLooks: Readonly<Record<DiffLine["kind"], readonly Look[]>> = { same: [], added: ["green"], removed: ["red"] };

function diffLine({ kind, before, after, pieces }: DiffLine, digits: number, columns: number, isStop: boolean): Block {
  const number = (value: number | null) => String(value ?? "").padStart(digits);
  const lead: Line = [
    span(`${number(before)} ${number(after)} `, "dim"),
    span(`${kinds[kind]} `, "bold", ...kindLooks[kind]),
  ];
  const follow: Line = [span(`${" ".repeat(2 * digits + 1)} ┊ `, "dim")];
  return fileLine(lead, follow, lineOf(pieces, kindLooks[kind]), columns - 2 * digits - 4, isStop);
}

function titleOf({ path, from, change, added, removed }: FileDiff): string {
  const where = from === null ? path : `${from} → ${path}`;
  return `${where} · ${change}${added + removed === 0 ? "" : ` · +${added} -${removed}`}`;
}

function notesOf({ shows, before, after, left, notes }: FileDiff): string[] {
  const told = [...notes];
  if (shows === "bytes") told.push(`not text: ${version(before)} -> ${version(after)}`);
  if (shows === "same") told.push("the same bytes under another name");
  if (left > 0) told.push(`${plural(left, "changed line")} more than a diff shows: w shows the whole file`);
  return told;
}

function version(of: FileDiff["before"]): string {
  return of === null ? "nothing" : `${sizeOf(of.size)} ${short(of.digest)}`;
}

/** Findings in files that did not change, or about no file at all: a diff must not hide them. */
function elsewhereBlocks(review: ReviewState, seen: ReadonlySet<number>, columns: number): Block[] {
  const rest = review.findings.flatMap(({ at }, index) => (seen.has(index) ? [] : [{ at, index }]));
  if (rest.length === 0) return [];
  const rows = rest.map(({ at, index }) => inPlace(review, index, 2, columns, ` (${at.file}:${at.line})`));
  return [block([rule("Found in what did not change", columns, "bold")]), ...rows, gap];
}
