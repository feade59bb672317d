import type { Finding } from "../../../base/finding.ts";
import type { Reply, ReplyRow } from "../../../use/agent/agent-event.ts";
import { cellsIn, hang, type Line, line, type Look, prose, span } from "../line.ts";
import { lookOf, placeOf } from "../wording.ts";
import { linesIn, shown } from "./shown.ts";

const widestName = 36;
const tones: Readonly<Record<NonNullable<ReplyRow["tone"]>, Look>> = {
  good: "green",
  warn: "yellow",
  bad: "red",
  dim: "dim",
};

/** What a command answers, as wide as the terminal. */
export function replyLines(reply: Reply, columns: number): Line[] {
  const { title, rows = [], notes = [], text, findings = [], isError = false } = reply;
  return [
    ...(title === undefined ? [] : prose(title, columns, "bold", ...(isError ? (["red"] as const) : []))),
    ...rowLines(rows, columns),
    ...notes.flatMap((note) => prose(note, columns, isError ? "red" : "dim")),
    ...(text === undefined ? [] : linesIn(text).map((each) => line("  ").concat(shown(each)))),
    ...findings.flatMap((finding) => findingLines(finding, columns)),
  ];
}

/** Two columns, or one above the other where there is no room for two. */
function rowLines(rows: readonly ReplyRow[], columns: number): Line[] {
  const most = Math.min(widestName, Math.floor(columns / 2) - 4);
  const fitting = rows.map(({ name }) => cellsIn(line(name))).filter((width) => width <= most);
  const width = Math.max(0, ...fitting);
  return rows.flatMap(({ name, about, tone }) => {
    const look = tone === undefined ? [] : [tones[tone]];
    const first = span(name, ...(look.length === 0 ? (["cyan"] as const) : look));
    const missing = width - cellsIn([first]);
    const gap = span(" ".repeat(2 + width + 2));
    const said = line(about, ...look);
    if (missing < 0) return [...hang([span("  ")], [span("    ")], [first], columns), ...besides(gap, said, columns)];
    return hang([span("  "), first, span(" ".repeat(missing + 2))], [gap], said, columns);
  });
}

function besides(gap: Line[number], said: Line, columns: number): Line[] {
  return cellsIn(said) === 0 ? [] : hang([gap], [gap], said, columns);
}

/** How much it weighs, what it is, and where. */
export function findingLines(finding: Finding, columns: number): Line[] {
  const { code, level, message, excerpt, decoded } = finding;
  const lead = [span(`  ${level.padEnd(8)} `, ...lookOf(level))];
  const follow = [span(" ".repeat(cellsIn(lead)))];
  const said = [span(`${message} `), span(`${code} ${placeOf(finding)}`, "dim")];
  const seen = [excerpt, decoded].flatMap((text) =>
    text === undefined ? [] : hang(follow, follow, line(text, "dim"), columns),
  );
  return [...hang(lead, follow, said, columns), ...seen];
}
