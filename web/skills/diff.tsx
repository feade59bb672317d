import type { ComponentChildren } from "preact";
import type { BundleDiff, FieldChange, FileDiff, Finding } from "#contract";
import { bytes, counted, short } from "../lib/format.ts";
import { Empty, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { type DiffMode, DiffTable } from "./diff-table.tsx";
import { FindingNote, FindingNotes } from "./finding-note.tsx";
import { findingsIn, type Found } from "./findings.ts";

interface DiffViewProps {
  readonly diff: BundleDiff;
  readonly found: Found;
  readonly mode: DiffMode;
}

/** All that changed: fields, tools, files; findings stand below the lines that they are about, and none is left out (RV-4). */
export function DiffView({ diff, found, mode }: DiffViewProps) {
  const { files, fields, tools, unchanged } = diff;
  const changed = new Set(files.map(({ path }) => path));
  const elsewhere = found.findings.filter(({ at }) => !changed.has(at.file));
  if (files.length + fields.length + elsewhere.length === 0) return <Empty title="Nothing changed" />;
  return (
    <div class="stack">
      <FieldsView fields={fields} />
      <ToolsView tools={tools} />
      {files.map((file) => (
        <FileView key={file.path} file={file} found={found} mode={mode} />
      ))}
      {unchanged > 0 && <p class="mute small">{counted(unchanged, "file")} did not change.</p>}
      {elsewhere.length > 0 && (
        <section aria-label="Found in what did not change" class="stack">
          <h3>Found in what did not change</h3>
          <FindingNotes findings={elsewhere} found={found} />
        </section>
      )}
    </div>
  );
}

function FieldsView({ fields }: { readonly fields: readonly FieldChange[] }) {
  if (fields.length === 0) return null;
  return (
    <Part title="Front-matter">
      <table class="diff fields" aria-label="Fields that changed">
        <tbody>
          {fields.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row" class="wrap">
                <Visible text={field} />
              </th>
              <td class="diff-line">
                {before !== null && <Value of={before} kind="removed" />}
                {after !== null && <Value of={after} kind="added" />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

function Value({ of, kind }: { readonly of: string; readonly kind: "added" | "removed" }) {
  return (
    <div class={`diff-${kind}`}>
      <span class="diff-sign">{kind === "added" ? "+" : "−"}</span>
      <Visible text={of} />
    </div>
  );
}

function ToolsView({ tools: { added, removed } }: Pick<BundleDiff, "tools">) {
  if (added.length + removed.length === 0) return null;
  return (
    <Part title="Tools it asks to have pre-approved">
      <div class="diff-line">
        {added.map((tool) => (
          <Value of={tool} kind="added" />
        ))}
        {removed.map((tool) => (
          <Value of={tool} kind="removed" />
        ))}
      </div>
    </Part>
  );
}

const tones = { added: "ok", removed: "bad", changed: "accent", renamed: "warn" } as const;

function FileView({ file, found, mode }: { readonly file: FileDiff; readonly found: Found; readonly mode: DiffMode }) {
  const { path, from, change, added, removed, hunks } = file;
  const placed = findingsIn(found, path);
  const shown = new Set(
    hunks.flatMap(({ lines }) => lines.map(({ kind, after }) => (kind === "removed" ? null : after))),
  );
  const unplaced = [...placed].flatMap(([line, findings]) => (shown.has(line) ? [] : findings));
  return (
    <Part
      title={
        <code>
          <Visible text={from === null ? path : `${from} → ${path}`} />
        </code>
      }
      about={
        <>
          <Tag tone={tones[change]}>{change}</Tag>
          {added > 0 && <span class="diff-plus">+{added}</span>}
          {removed > 0 && <span class="diff-minus">−{removed}</span>}
        </>
      }
    >
      {notesOf(file).map((note) => (
        <p class="diff-told">
          <Visible text={note} />
        </p>
      ))}
      {hunks.length > 0 && <DiffTable label={path} hunks={hunks} mode={mode} found={found} placed={placed} />}
      {unplaced.map((finding: Finding) => (
        <FindingNote finding={finding} found={found} place={placeOf(file, finding)} />
      ))}
    </Part>
  );
}

/** Of a finding whose line is not among those that are shown. */
function placeOf({ shows, left }: FileDiff, { at: { line } }: Finding): string {
  if (shows === "bytes") return "the file, which is not text";
  return left > 0 ? `line ${line}, which is not shown here` : `line ${line}, which did not change`;
}

function notesOf({ shows, before, after, left, notes }: FileDiff): readonly string[] {
  return [
    ...notes,
    ...(shows === "bytes" ? [`Not text: ${versionOf(before)} → ${versionOf(after)}`] : []),
    ...(shows === "same" ? ["The same bytes under another name"] : []),
    ...(left > 0 ? [`${counted(left, "changed line")} more than are shown here: the raw text has all of it`] : []),
  ];
}

function versionOf(of: FileDiff["before"]): string {
  return of === null ? "nothing" : `${bytes(of.size)}, ${short(of.digest)}`;
}

interface PartProps {
  readonly title: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Part({ title, about, children }: PartProps) {
  return (
    <section class="card diff-file">
      <div class="diff-head">
        <h3 class="wrap">{title}</h3>
        {about}
      </div>
      {children}
    </section>
  );
}
