import { useState } from "preact/hooks";
import type { Finding, Piece, VisibleFile, RevisionView } from "#contract";
import { segment, withQuery } from "../lib/api.ts";
import { counted, bytes } from "../lib/format.ts";
import { type Resource, useResource } from "../lib/resource.ts";
import { Button, Loaded, Empty, Card } from "../ui/parts.tsx";
import { Pieces, Visible } from "../ui/visible.tsx";
import { FindingNote } from "./finding-note.tsx";
import { findingsIn, type Found } from "./findings.ts";
import { type Range, type Run, runsOf } from "./line-runs.ts";
import { Markdown } from "../ui/markdown.tsx";
import { markedTextOf } from "../ui/marked-text.tsx";
import { ShortDigest } from "./digest.tsx";
import { Table } from "../ui/table.tsx";

export interface RawFiles {
  readonly files: readonly VisibleFile[];
}

/** Every file of one revision, with what cannot be seen made visible. Null: not wanted now. */
export function useRaw(entry: string, digest: string | null): Resource<RawFiles> {
  return useResource(digest === null ? null : withQuery(`/api/review/${segment(entry)}/raw`, { digest }));
}

/** RV-4: the bytes as they are, findings below their lines. */
export function RawView({ raw, found }: { readonly raw: Resource<RawFiles>; readonly found: Found }) {
  return (
    <Loaded of={raw}>
      {({ files }) => {
        const paths = new Set(files.map(({ path }) => path));
        const elsewhere = found.findings.filter(({ at }) => !paths.has(at.file));
        return (
          <div class="stack">
            {elsewhere.map((finding: Finding) => (
              <FindingNote finding={finding} found={found} place={finding.at.file} />
            ))}
            {files.map((file) => (
              <RawFile key={file.path} file={file} found={found} isFirst={files.length === 1 || isMain(file)} />
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

function isMain({ path }: VisibleFile): boolean {
  return path === "SKILL.md";
}

/** More lines are shown when they are asked for: a bundle can have hundreds of thousands. */
const linesAtOnce = 1500;

/** So many lines around a finding are always shown, however far down it is. */
const linesAround = 10;

interface RawFileProps {
  readonly file: VisibleFile;
  readonly found: Found;
  readonly isFirst: boolean;
}

/** Open from the start when it is the skill itself, or when something was found in it. No finding waits to be asked for. */
function RawFile({ file: { path, lines }, found, isFirst }: RawFileProps) {
  const placed = findingsIn(found, path);
  const [isOpen, setOpen] = useState(isFirst || placed.size > 0);
  const [asked, setAsked] = useState<readonly Range[]>([]);
  const count = lines?.length ?? 0;
  const runs = runsOf(count, [[1, linesAtOnce], ...[...placed.keys()].map(around), ...asked]);
  const unplaced = [...placed].flatMap(([line, findings]) => (line >= 1 && line <= count ? [] : findings));
  return (
    <details class="card diff-file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="diff-head">
        <h3 class="mono wrap">
          <Visible text={path} />
        </h3>
        <span class="mute small">{lines === null ? "not text" : counted(count, "line")}</span>
      </summary>
      {lines === null && <p class="diff-told">It is not text: its size and hash are among the files.</p>}
      {isOpen && unplaced.length > 0 && (
        <div class="diff-notes">
          {unplaced.map((finding) => (
            <FindingNote
              finding={finding}
              found={found}
              place={lines === null ? "the file" : `line ${finding.at.line}`}
            />
          ))}
        </div>
      )}
      {isOpen && lines !== null && (
        <RawLines
          path={path}
          lines={lines}
          runs={runs}
          found={found}
          placed={placed}
          onMore={({ from, to }) => setAsked([...asked, [from, Math.min(to, from + 10 * linesAtOnce - 1)]])}
        />
      )}
    </details>
  );
}

function around(line: number): Range {
  return [line - linesAround, line + linesAround];
}

interface RawLinesProps {
  readonly path: string;
  readonly lines: readonly (readonly Piece[])[];
  readonly runs: readonly Run[];
  readonly found: Found;
  readonly placed: ReadonlyMap<number, readonly Finding[]>;
  readonly onMore: (run: Run) => void;
}

function RawLines({ path, lines, runs, found, placed, onMore }: RawLinesProps) {
  return (
    <table class="diff raw" aria-label={path}>
      <colgroup>
        <col class="diff-number" />
        <col />
      </colgroup>
      {runs.map((run) => (
        <tbody key={run.isShown ? `shown ${run.from}` : `left out ${run.from}`}>
          {run.isShown ? (
            lines
              .slice(run.from - 1, run.to)
              .map((pieces, index) => (
                <RawLine number={run.from + index} pieces={pieces} found={found} notes={placed.get(run.from + index)} />
              ))
          ) : (
            <tr class="diff-gap">
              <td colSpan={2}>
                <Button onClick={() => onMore(run)}>
                  Show more of {counted(run.to - run.from + 1, "line")}{" "}
                  {run.to === lines.length ? "that follow" : "between"}
                </Button>
              </td>
            </tr>
          )}
        </tbody>
      ))}
    </table>
  );
}

interface RawLineProps {
  readonly number: number;
  readonly pieces: readonly Piece[];
  readonly found: Found;
  readonly notes: readonly Finding[] | undefined;
}

function RawLine({ number, pieces, found, notes }: RawLineProps) {
  return (
    <>
      <tr>
        <td class="diff-at">{number}</td>
        <td class="diff-line">
          <Pieces pieces={pieces} />
        </td>
      </tr>
      {notes !== undefined && (
        <tr>
          <td colSpan={2} class="diff-notes">
            {notes.map((finding) => (
              <FindingNote finding={finding} found={found} />
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

/** The instructions as a reader of Markdown shows them; the header stands in a view of its own. */
export function RenderedView({ raw }: { readonly raw: Resource<RawFiles> }) {
  return (
    <Loaded of={raw}>
      {({ files }) => {
        const lines = files.find(isMain)?.lines ?? null;
        if (lines === null) return <Empty title="There is no text to show">The raw view has what is there.</Empty>;
        return (
          <div class="card card-body">
            <Markdown text={withoutHeader(markedTextOf(lines))} />
          </div>
        );
      }}
    </Loaded>
  );
}

function withoutHeader(text: string): string {
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return text;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  return end < 0 ? text : lines.slice(end + 1).join("\n");
}

export function FilesView({ revision: { files } }: { readonly revision: RevisionView }) {
  if (files.length === 0) return <Empty title="None of its files could be verified" />;
  return (
    <Card>
      <Table label="Files" columns={["File", { title: "Size", isNumber: true }, "SHA-256"]}>
        {files.map(({ path, size, digest }) => (
          <tr key={path}>
            <td class="mono wrap">
              <Visible text={path} />
            </td>
            <td class="number">{bytes(size)}</td>
            <td>
              <ShortDigest of={digest} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
