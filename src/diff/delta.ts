import { type Finding, heaviestFirst, type Place } from "../core/finding.ts";
import { count, safeLine } from "../core/text.ts";
import type { Scan } from "../scan/scan.ts";
import { type BundleFile, scopeFile, skillFile } from "../skill/bundle.ts";
import type { Skill } from "../skill/skill.ts";
import type { BundleDiff, Delta, FieldChange } from "./diff.ts";
import type { ComparedFile } from "./file-diff.ts";
import { readText } from "./read-text.ts";
import { visibleText } from "./visible.ts";

/** Both sides as they were parsed and scanned, and what is known of their difference. */
export interface DeltaInput {
  readonly before: { readonly skill: Skill | undefined; readonly scan: Scan } | null;
  readonly after: { readonly skill: Skill | undefined; readonly scan: Scan };
  readonly files: readonly ComparedFile[];
  readonly fields: readonly FieldChange[];
  readonly tools: BundleDiff["tools"];
}

const order: readonly Delta["kind"][] = [
  "hidden",
  "finding",
  "tool",
  "host",
  "command",
  "secret",
  "description",
  "scope",
  "file",
];

/** Of one kind, added or gone, so many are listed; the last one says how many more there are. */
const mostOfOne = 50;
const longest = 400;

/** What is looked at first (RV-4, T28): what is new or changed by its kind, then what is gone. */
export function deltaOf(input: DeltaInput): readonly Delta[] {
  const all = [
    ...findingChanges(input.before?.scan.findings ?? [], input.after.scan.findings),
    ...toolDeltas(input),
    ...capabilityChanges(input),
    ...descriptionChange(input),
    ...scopeChanges(input),
    ...executableChanges(input.files),
  ];
  return [all.filter((delta) => !isGone(delta)), all.filter(isGone)].flatMap((half) =>
    order.flatMap((kind) => bounded(half.filter((delta) => delta.kind === kind))),
  );
}

function isGone({ change }: Delta): boolean {
  return change === "removed";
}

function bounded(deltas: readonly Delta[]): readonly Delta[] {
  const first = deltas[mostOfOne - 1];
  if (first === undefined || deltas.length === mostOfOne) return deltas;
  const rest = deltas.length - mostOfOne + 1;
  return [...deltas.slice(0, mostOfOne - 1), { ...first, what: `… and ${count(rest)} more`, at: null }];
}

/** By what they say and in which file, not by line: text that only moved is nothing new, and one more of a kind is. */
function findingChanges(before: readonly Finding[], after: readonly Finding[]): readonly Delta[] {
  return [
    ...heaviestFirst(withoutThose(after, before)).map((each) => ofFinding(each, "added")),
    ...heaviestFirst(withoutThose(before, after)).map((each) => ofFinding(each, "removed")),
  ];
}

/** What is left when each of the others has taken away one that says the same. */
function withoutThose(findings: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  for (const key of others.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return findings.filter((finding) => {
    const key = keyOf(finding);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

function keyOf({ code, level, message, at, excerpt = "", decoded = "" }: Finding): string {
  return JSON.stringify([code, level, message, at.file, excerpt, decoded]);
}

function ofFinding({ code, level, message, at, excerpt, decoded }: Finding, change: Delta["change"]): Delta {
  const seen = decoded ?? excerpt;
  const what = `${level} ${code}: ${seen === undefined ? message : `${seen} (${message})`}`;
  // The place of what is gone is one of the old bytes: there is nothing to jump to.
  const place = change === "removed" ? null : at;
  return { kind: code.startsWith("hidden.") ? "hidden" : "finding", change, what: oneLine(what), at: place };
}

function toolDeltas({ tools, files }: DeltaInput): readonly Delta[] {
  const at = placeIn(files, skillFile, "allowed-tools", "allowed_tools");
  return [
    ...tools.added.map((tool) => ({ kind: "tool", change: "added", what: tool, at }) as const),
    ...tools.removed.map((tool) => ({ kind: "tool", change: "removed", what: tool, at: null }) as const),
  ];
}

type Reach = readonly [kind: Delta["kind"], names: (side: DeltaInput["after"]) => readonly string[]];

/** What the scanner saw each side reach for. A link that is only read is a host too: it was put there for a reason. */
const reaches: readonly Reach[] = [
  ["host", ({ scan }) => scan.hosts],
  ["command", commandsOf],
  ["secret", ({ scan }) => scan.capabilities.secrets],
];

/** Programs, also those that open connections. The tools it asks for are shown as what they are. */
function commandsOf({ skill, scan }: DeltaInput["after"]): readonly string[] {
  const named = new Set([...scan.hosts, ...(skill?.manifest.allowedTools ?? [])]);
  return [...new Set([...scan.capabilities.shell, ...scan.capabilities.network])].filter((name) => !named.has(name));
}

function capabilityChanges({ before, after, files }: DeltaInput): readonly Delta[] {
  return reaches.flatMap(([kind, namesIn]) => {
    const [was, is] = [new Set(before === null ? [] : namesIn(before)), new Set(namesIn(after))];
    const added = [...is].filter((name) => !was.has(name));
    const removed = [...was].filter((name) => !is.has(name));
    const come = added.map((name, at): Delta => {
      const place = at < mostOfOne ? placeOfNew(files, name) : null;
      return { kind, change: "added", what: oneLine(name), at: place };
    });
    return come.concat(removed.map((name) => ({ kind, change: "removed", what: oneLine(name), at: null })));
  });
}

/** What is new stands, as a rule, word for word in an added line. */
function placeOfNew(files: readonly ComparedFile[], name: string): Place | null {
  for (const { pair, text } of files) {
    if (text === null || pair.after === null) continue;
    const { lines } = text.after;
    for (const { region } of text.changes)
      for (let at = region.after.from; at < region.after.to; at++)
        if (lines[at]?.includes(name) === true) return { file: pair.after.path, line: at + 1 };
  }
  return null;
}

function descriptionChange({ before, after, files }: DeltaInput): readonly Delta[] {
  const [was, is] = [before?.skill?.manifest.description ?? null, after.skill?.manifest.description ?? null];
  if (was === is || after.skill === undefined) return [];
  const change = was === null ? "added" : is === null ? "removed" : "changed";
  const at = placeIn(files, skillFile, "description");
  return [{ kind: "description", change, what: oneLine(is ?? was ?? "", 2 * longest), at }];
}

function scopeChanges({ fields, files }: DeltaInput): readonly Delta[] {
  return fields
    .filter(({ field }) => field === "scope" || field.startsWith("scope."))
    .map(({ field, before, after }) => {
      const name = field.replace(/^scope\./, "");
      const change = before === null ? "added" : after === null ? "removed" : "changed";
      const what = change === "changed" ? `${before} -> ${after}` : (after ?? before ?? "");
      const at = change === "removed" ? null : placeIn(files, scopeFile, name);
      return { kind: "scope", change, what: shorten(`${name}: ${what}`, longest), at } as const;
    });
}

/** Where a field stands now, if its file is among what changed. */
function placeIn(files: readonly ComparedFile[], path: string, ...names: readonly string[]): Place | null {
  const text = files.find(({ pair }) => pair.after?.path === path)?.text;
  const starts = names.map((name) => `${name}:`);
  const at = text?.after.lines.findIndex((line) => starts.some((start) => line.startsWith(start))) ?? -1;
  return at < 0 ? null : { file: path, line: at + 1 };
}

function oneLine(text: string, most = longest): string {
  return shorten(visibleText(text.slice(0, most)), most) + (text.length > most ? "…" : "");
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${Array.from(text.slice(0, most)).slice(0, -1).join("")}…` : text;
}

const script =
  /\.(?:sh|bash|zsh|fish|py|pyw|js|mjs|cjs|jsx|ts|mts|cts|tsx|rb|pl|php|lua|ps1|psm1|bat|cmd|vbs|wsf|scpt|command)$/i;

/** Files that a machine can run, and those nobody can read: new, changed or gone. */
function executableChanges(files: readonly ComparedFile[]): readonly Delta[] {
  return files.flatMap(({ pair: { before, after } }) => {
    const [was, is] = [before === null ? null : whyLooked(before), after === null ? null : whyLooked(after)];
    if (was === null && is === null) return [];
    const change = is === null ? "removed" : was === null ? "added" : "changed";
    const file = is === null ? before : after;
    if (file === null) return [];
    const from =
      before !== null && after !== null && before.path !== after.path ? `, was ${safeLine(before.path)}` : "";
    const what = `${safeLine(file.path, 240)} (${is ?? was}${from})`;
    return [{ kind: "file", change, what, at: change === "removed" ? null : { file: file.path, line: 1 } } as const];
  });
}

function whyLooked({ path, bytes }: BundleFile): string | null {
  const read = readText(bytes);
  if (read === undefined) return "not text";
  if (read.bad > 0) return "not all of it is UTF-8";
  const [first, second] = bytes;
  return script.test(path) || (first === 0x23 && second === 0x21) ? "can be run" : null;
}
