import type { ComponentChildren } from "preact";
import type { DiffLine, Finding, Hunk } from "#contract";
import { Pieces } from "../ui/visible.tsx";
import { FindingNote } from "./finding-note.tsx";
import type { Found } from "./findings.ts";

export type DiffMode = "side" | "unified";

interface DiffTableProps {
  readonly label: string;
  readonly hunks: readonly Hunk[];
  readonly mode: DiffMode;
  readonly found: Found;
  /** Findings of this file by the line of the new text. */
  readonly placed: ReadonlyMap<number, readonly Finding[]>;
}

/** Lines that changed, one below the other or both sides beside each other, with findings below their line (RV-4). */
export function DiffTable({ label, hunks, mode, found, placed }: DiffTableProps) {
  const notesAt = (line: DiffLine | null) =>
    line === null || line.after === null || line.kind === "removed" ? [] : (placed.get(line.after) ?? []);
  const Rows = mode === "side" ? SideRows : UnifiedRows;
  return (
    <table class={`diff ${mode}`} aria-label={label}>
      {mode === "side" ? (
        <colgroup>
          <col class="diff-number" />
          <col />
          <col class="diff-number" />
          <col />
        </colgroup>
      ) : (
        <colgroup>
          <col class="diff-number" />
          <col class="diff-number" />
          <col />
        </colgroup>
      )}
      {hunks.map(({ lines }, index) => (
        <tbody key={index}>
          {index > 0 && (
            <tr class="diff-gap">
              <td colSpan={mode === "side" ? 4 : 3}>⋯</td>
            </tr>
          )}
          <Rows lines={lines} notesAt={notesAt} found={found} />
        </tbody>
      ))}
    </table>
  );
}

interface RowsProps {
  readonly lines: readonly DiffLine[];
  readonly notesAt: (line: DiffLine | null) => readonly Finding[];
  readonly found: Found;
}

function UnifiedRows({ lines, notesAt, found }: RowsProps) {
  return (
    <>
      {lines.map((line) => (
        <>
          <tr class={`diff-${line.kind}`}>
            <td class="diff-at">{line.before}</td>
            <td class="diff-at">{line.after}</td>
            <LineCell line={line} />
          </tr>
          <NoteRow notes={notesAt(line)} found={found} columns={3} />
        </>
      ))}
    </>
  );
}

function SideRows({ lines, notesAt, found }: RowsProps) {
  return (
    <>
      {pairedLines(lines).map(({ left, right }) => (
        <>
          <tr>
            <td class={`diff-at ${sideClass(left)}`}>{left?.before}</td>
            <LineCell line={left} side={sideClass(left)} />
            <td class={`diff-at ${sideClass(right)}`}>{right?.after}</td>
            <LineCell line={right} side={sideClass(right)} />
          </tr>
          <NoteRow notes={notesAt(right)} found={found} columns={4} />
        </>
      ))}
    </>
  );
}

function sideClass(line: DiffLine | null): string {
  return line === null ? "diff-none" : `diff-${line.kind}`;
}

const signs: Readonly<Record<DiffLine["kind"], ComponentChildren>> = { same: " ", added: "+", removed: "−" };

function LineCell({ line, side = "" }: { readonly line: DiffLine | null; readonly side?: string }) {
  return (
    <td class={`diff-line ${side}`}>
      {line !== null && (
        <>
          <span class="diff-sign">{signs[line.kind]}</span>
          <Pieces pieces={line.pieces} />
        </>
      )}
    </td>
  );
}

interface NoteRowProps {
  readonly notes: readonly Finding[];
  readonly found: Found;
  readonly columns: number;
}

function NoteRow({ notes, found, columns }: NoteRowProps) {
  if (notes.length === 0) return null;
  return (
    <tr>
      <td colSpan={columns} class="diff-notes">
        {notes.map((finding) => (
          <FindingNote finding={finding} found={found} />
        ))}
      </td>
    </tr>
  );
}

/** Two lines beside each other; null: there is none on that side. */
interface PairedLine {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** What was taken away stands beside what came in its place. */
function pairedLines(lines: readonly DiffLine[]): readonly PairedLine[] {
  const rows: PairedLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    const same = lines[at] ?? null;
    if (removed.length + added.length === 0) rows.push({ left: same, right: same });
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      rows.push({ left: removed[row] ?? null, right: added[row] ?? null });
    at += Math.max(1, removed.length + added.length);
  }
  return rows;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}
