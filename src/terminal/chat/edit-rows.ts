import { type Line, span } from "../line.ts";
import { cellsOf, headOf } from "../width.ts";
import type { Editor } from "./editor.ts";
import type { Frame } from "./live-area.ts";

const lead = { first: span("› ", "bold", "cyan"), newLine: span("… ", "dim"), wrapped: span("  ") };
const leadWidth = 2;

/**
 * What is being typed, over as many rows as it takes: at most so many, those around the cursor. A line break is told by a
 * mark; what cannot be seen stands there by its number, as everywhere.
 */
export function editRows(editor: Editor, columns: number, mostRows: number): Frame {
  const room = Math.max(2, columns - leadWidth);
  const rows: Row[] = [];
  let start = 0;
  for (const text of editor.text.split("\n")) {
    const at = editor.at - start;
    rows.push(...wrapLine(text, at >= 0 && at <= text.length ? at : null, room, rows.length === 0));
    start += text.length + 1;
  }
  const row = Math.max(
    0,
    rows.findIndex(({ cursor }) => cursor !== null),
  );
  const top = Math.max(0, Math.min(row - Math.floor(mostRows / 2), rows.length - mostRows));
  const column = Math.min(leadWidth + (rows[row]?.cursor ?? 0), columns - 1);
  return { rows: rows.slice(top, top + mostRows).map(({ line }) => line), cursor: { row: row - top, column } };
}

/** What was entered, as it stays above. */
export function enteredLines(text: string): Line[] {
  return text.split("\n").map((line, index) => [index === 0 ? lead.first : lead.newLine, span(line, "bold")]);
}

interface Row {
  readonly line: Line;
  /** In cells after the lead; null: the cursor is elsewhere. */
  readonly cursor: number | null;
}

function wrapLine(text: string, at: number | null, room: number, isFirst: boolean): Row[] {
  const typed = span(text).text;
  const before = at === null ? null : span(text.slice(0, at)).text.length;
  const start = isFirst ? lead.first : lead.newLine;
  const rows: Row[] = [];
  let done = 0;
  do {
    // A cell holds at most a character and four marks: looking at all of the rest for every row would take the square.
    const head = headOf(typed.slice(done, done + (room + 1) * 10), room);
    const end = done + head.length;
    // A full last row leaves no place for the cursor: it stands on the next one.
    const isHere =
      before !== null && before >= done && (before < end || (end === typed.length && cellsOf(head) < room));
    const cursor = isHere ? cellsOf(typed.slice(done, before)) : null;
    rows.push({ line: [rows.length === 0 ? start : lead.wrapped, span(head)], cursor });
    done = end;
  } while (done < typed.length);
  if (before !== null && rows.every(({ cursor }) => cursor === null)) rows.push({ line: [lead.wrapped], cursor: 0 });
  return rows;
}
