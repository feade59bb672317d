import { useEffect, useState } from "preact/hooks";
import type { Finding, Piece, VisibleFile } from "#contract";
import { segment, withQuery } from "../lib/api.ts";
import { counted } from "../lib/format.ts";
import { type Resource, useResource } from "../lib/resource.ts";
import { Button, Loaded } from "../ui/parts.tsx";
import { Pieces, Visible } from "../ui/visible.tsx";
import { FindingNote } from "./finding-note.tsx";
import { findingsIn, type Found } from "./findings.ts";

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

export function isMain({ path }: VisibleFile): boolean {
  return path === "SKILL.md";
}

/** More lines are shown when they are asked for: a bundle can have hundreds of thousands. */
const linesAtOnce = 1500;

interface RawFileProps {
  readonly file: VisibleFile;
  readonly found: Found;
  readonly isFirst: boolean;
}

/** Open from the start when it is the skill itself, or when something was found in it. */
function RawFile({ file: { path, lines }, found, isFirst }: RawFileProps) {
  const placed = findingsIn(found, path);
  const [isOpen, setOpen] = useState(isFirst || placed.size > 0);
  const [most, setMost] = useState(linesAtOnce);
  useEffect(() => setMost(linesAtOnce), [path]);
  const count = lines?.length ?? 0;
  return (
    <details class="card diff-file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="diff-head">
        <h3 class="mono wrap">
          <Visible text={path} />
        </h3>
        <span class="mute small">{lines === null ? "not text" : counted(count, "line")}</span>
      </summary>
      {lines === null && <p class="diff-told">It is not text: its size and hash are among the files.</p>}
      {isOpen && lines !== null && <RawLines path={path} lines={lines.slice(0, most)} found={found} placed={placed} />}
      {isOpen && count > most && (
        <p class="diff-told">
          <Button onClick={() => setMost(most + 10 * linesAtOnce)}>
            Show more of {counted(count - most, "line")} that follow
          </Button>
        </p>
      )}
    </details>
  );
}

interface RawLinesProps {
  readonly path: string;
  readonly lines: readonly (readonly Piece[])[];
  readonly found: Found;
  readonly placed: ReadonlyMap<number, readonly Finding[]>;
}

function RawLines({ path, lines, found, placed }: RawLinesProps) {
  return (
    <table class="diff raw" aria-label={path}>
      <colgroup>
        <col class="diff-number" />
        <col />
      </colgroup>
      <tbody>
        {lines.map((pieces, index) => (
          <>
            <tr>
              <td class="diff-at">{index + 1}</td>
              <td class="diff-line">
                <Pieces pieces={pieces} />
              </td>
            </tr>
            {placed.has(index + 1) && (
              <tr>
                <td colSpan={2} class="diff-notes">
                  {placed.get(index + 1)?.map((finding) => (
                    <FindingNote finding={finding} found={found} />
                  ))}
                </td>
              </tr>
            )}
          </>
        ))}
      </tbody>
    </table>
  );
}
