import type { Bundle } from "../skill/bundle.ts";
import { parse, type Skill } from "../skill/skill.ts";
import { type Scan, scanBundle } from "../scan/scan.ts";
import type { Piece } from "./visible.ts";
import { deltaOf } from "./delta.ts";
import { fieldChanges, toolChanges } from "./fields.ts";
import { compareFile, renderFile } from "./file-diff.ts";
import { pairFiles } from "./renames.ts";
import { share } from "./share.ts";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** 1-based; null on the side that does not have the line. */
  readonly before: number | null;
  readonly after: number | null;
  /**
   * A line of which many follow one another, or that there is no room for, stands for them with one hidden piece:
   * `… 300 more empty lines …`. Its number is that of the first of them.
   */
  readonly pieces: readonly Piece[];
}

/** Lines that changed, with a few around them. */
export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  readonly change: "added" | "removed" | "changed" | "renamed";
  /** Where it was before, when it was renamed. */
  readonly from: string | null;
  readonly before: { readonly digest: string; readonly size: number } | null;
  readonly after: { readonly digest: string; readonly size: number } | null;
  /**
   * `text`: hunks say all of it. `endings`: only the ends of lines changed. `bytes`: not text, only size and digest are
   * compared. `same`: renamed, byte for byte.
   */
  readonly shows: "text" | "endings" | "bytes" | "same";
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** Changed lines that are counted above but not in the hunks, because there are too many. */
  readonly left: number;
  /** A sentence for what hunks cannot say: "line endings: LF -> CRLF", "no newline at the end". */
  readonly notes: readonly string[];
}

/** One value of the front-matter, or of scope.yaml (`scope.allowed`), as canonical JSON; null: it is not there. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The security-relevant delta: what is looked at first (RV-4, T28). */
export interface Delta {
  readonly kind: "host" | "command" | "secret" | "tool" | "description" | "hidden" | "finding" | "file" | "scope";
  readonly change: "added" | "removed" | "changed";
  /** One line, visible: the host, the tool, the description now, the hidden text decoded. */
  readonly what: string;
  readonly at: { readonly file: string; readonly line: number } | null;
}

export interface BundleDiff {
  /** Only what changed: SKILL.md first, then by path. */
  readonly files: readonly FileDiff[];
  /** Files that are the same in both. */
  readonly unchanged: number;
  readonly fields: readonly FieldChange[];
  /** Tools it asks to have pre-approved. */
  readonly tools: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** What is new or changed: hidden text, findings, tools, hosts, commands, secrets, description, scope, files. Then what is gone. */
  readonly delta: readonly Delta[];
}

/** What of all files together is shown, in characters: what a person can still look at, whatever came in. */
const mostShown = 600_000;
/** What a file is shown of at least. */
const leastShown = 500;
/** Steps of looking for what lines and words have in common, over all files and for one. */
const mostSteps = 16_000_000;
const mostStepsOfOne = 8_000_000;

/** Pure, never throws, on any bytes. Bytes are compared; what is shown of them can be seen (RV-4, T28). */
export function diffBundles(before: Bundle | null, after: Bundle): BundleDiff {
  const pairs = pairFiles(before?.files ?? [], after.files);
  const steps = Math.min(mostStepsOfOne, Math.floor(mostSteps / Math.max(1, pairs.length)));
  const compared = pairs.map((pair) => compareFile(pair, steps));
  const rooms = share(
    compared.map(({ text }) => text?.need ?? 0),
    mostShown,
    leastShown,
  );
  const [old, now] = [before === null ? null : readBundle(before), readBundle(after)];
  // A side that cannot be parsed has no fields to compare; its text is compared all the same.
  const isRead = now.skill !== undefined && (old === null || old.skill !== undefined);
  const fields = isRead ? fieldChanges(old?.skill, now.skill) : [];
  const tools = toolChanges(old?.skill, now.skill);
  return {
    files: compared.map((file, at) => renderFile(file, rooms[at] ?? 0)),
    unchanged: after.files.length - pairs.filter((pair) => pair.after !== null).length,
    fields,
    tools,
    delta: deltaOf({ before: old, after: now, files: compared, fields, tools }),
  };
}

function readBundle(bundle: Bundle): { readonly skill: Skill | undefined; readonly scan: Scan } {
  return { skill: parse(bundle, "ingest").skill, scan: scanBundle(bundle) };
}
