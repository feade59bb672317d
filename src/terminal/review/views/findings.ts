import type { Finding } from "../../../core/finding.ts";
import { type Block, block, gap } from "../body.ts";
import { hang, line, type Line, prose, type Span, span } from "../../line.ts";
import type { ReviewState } from "../state.ts";
import { lookOf, placeOf } from "../../wording.ts";
import { liftedIn } from "../words.ts";

/** Findings by file and line; each is its place in the list. */
export type Placed = ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>;

export function placeFindings(findings: readonly Finding[]): Placed {
  const placed = new Map<string, Map<number, number[]>>();
  for (const [index, { at }] of findings.entries()) {
    const inFile = placed.get(at.file) ?? new Map<number, number[]>();
    const onLine = inFile.get(at.line) ?? [];
    onLine.push(index);
    placed.set(at.file, inFile.set(at.line, onLine));
  }
  return placed;
}

type Shown = Pick<ReviewState, "view" | "findings" | "decodes">;

/** Below the line that it is about. `remark` says where that is when it is not just above. */
export function inPlace(review: Shown, index: number, indent: number, columns: number, remark = ""): Block {
  const finding = review.findings[index];
  if (finding === undefined) return block([]);
  const [lead, follow] = [line(`${" ".repeat(indent)}▲ `, ...lookOf(finding.level)), line(" ".repeat(indent + 2))];
  const spans = [...headOf(review, finding), span(`  ${finding.message}`), span(remark, "dim")];
  const head = hang(lead, follow, [...spans, ...decodeHint(review, finding)], columns);
  return block([...head, ...decodedLines(review, finding, indent + 2, columns)], { isStop: true, finding: index });
}

function headOf({ view }: Shown, { level, code }: Finding): Line {
  const lifted = liftedIn(view).has(code) ? [span(" overridden", "green")] : [];
  return [span(`${level} `, ...lookOf(level)), span(code, "bold"), ...lifted];
}

function decodeHint({ decodes }: Shown, { decoded }: Finding): Span[] {
  return decoded === undefined || decodes ? [] : [span(" (x decodes it)", "dim")];
}

function decodedLines({ decodes }: Shown, { decoded }: Finding, indent: number, columns: number): Line[] {
  if (decoded === undefined || !decodes) return [];
  const blank = " ".repeat(indent);
  return hang(line(`${blank}decoded ┃ `, "magenta"), line(`${blank}        ┃ `, "magenta"), line(decoded), columns);
}

/** All of them, the heaviest first, each with where it is, what stands there and why it matters (RV-6). */
export function findingsBlocks(review: ReviewState, columns: number): readonly Block[] {
  if (review.findings.length === 0) return [block([line("Nothing was found.", "dim")])];
  return review.findings.flatMap((finding, index) => [
    block(entryOf(review, finding, index, columns), { isStop: true, finding: index }),
    gap,
  ]);
}

function entryOf(review: ReviewState, finding: Finding, index: number, columns: number): Line[] {
  const isChosen = review.chosen === index;
  const mark = span(isChosen ? "▸ " : "  ", "bold");
  const where = span(`  ${placeOf(finding)}`, "cyan", ...(isChosen ? (["underline"] as const) : []));
  const why = review.whys.get(finding.code);
  const body = columns - 4;
  return [
    ...hang([mark, span("▲ ", ...lookOf(finding.level))], line("    "), [...headOf(review, finding), where], columns),
    ...prose(finding.message, body).map(indented),
    ...(finding.excerpt === undefined
      ? []
      : hang(line("    │ ", "dim"), line("    │ ", "dim"), line(finding.excerpt), columns)),
    ...(why === undefined ? [] : prose(why, body, "dim").map(indented)),
    ...(finding.decoded === undefined ? [] : decodedLines({ ...review, decodes: true }, finding, 4, columns)),
  ];
}

function indented(spans: Line): Line {
  return [span("    "), ...spans];
}
