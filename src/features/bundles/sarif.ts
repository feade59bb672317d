import { type Level, levels } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { withoutOrders } from "../command/safe-output.ts";
import type { ScanFinding, ScannedSkill, ScanReport } from "./scan.ts";
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { pathToFileURL } from "node:url";

/** What a rule says of itself. */
interface RuleText {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly why: string;
}

export interface SarifContext {
  readonly version: string;
  /** The folder the command was started in: paths are relative to it. */
  readonly here: string;
  /** Every rule of the scanner, found or not: a clean run says what it looked for. */
  readonly rules: readonly RuleText[];
  /** Whether a baseline was named: then of every result it is known whether it is suppressed. */
  readonly hasBaseline: boolean;
}

/** A scan as SARIF 2.1.0, for code scanning and for editors. The same report is the same value. */
export function sarifOf(report: ScanReport, context: SarifContext): object {
  const placed = placedFindings(report);
  const rules = rulesFor(placed, context.rules);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const fingerprint = fingerprints();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Skillward", semanticVersion: context.version, rules: rules.map(descriptorOf) } },
        // The scan itself came to its end, whatever it found.
        invocations: [{ executionSuccessful: true }],
        results: placed.map((each) => resultOf(each, indexes.get(each.finding.code) ?? -1, fingerprint(each), context)),
      },
    ],
  };
}

function resultOf(placed: PlacedFinding, ruleIndex: number, fingerprint: string, context: SarifContext): object {
  const { finding } = placed;
  const result = {
    ruleId: finding.code,
    ruleIndex,
    level: severities[finding.level].word,
    message: { text: messageOf(finding) },
    locations: [locationOf(placed, context.here)],
    partialFingerprints: { "skillward/v1": fingerprint },
  };
  return context.hasBaseline ? { ...result, suppressions: suppressionsOf(finding) } : result;
}

/** The numbers are the ones by which GitHub tells critical from high, medium and low. */
const severities: Readonly<Record<Level, { readonly word: "error" | "warning" | "note"; readonly number: string }>> = {
  critical: { word: "error", number: "9.5" },
  high: { word: "error", number: "8.0" },
  medium: { word: "warning", number: "5.5" },
  low: { word: "note", number: "2.5" },
  info: { word: "note", number: "0.0" },
};

/** What was found on the way to the scanner has no rule there: its code and its reason stand in. */
function rulesFor(placed: readonly PlacedFinding[], rules: readonly RuleText[]): readonly RuleText[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  for (const { finding } of placed) if (!known.has(finding.code)) known.set(finding.code, textFor(finding));
  return [...known.values()];
}

function textFor({ code, level, why }: ScanFinding): RuleText {
  return { id: code, level, title: why?.split(/(?<=[.:]) /)[0] ?? code, why: why ?? code };
}

function descriptorOf({ id, level, title, why }: RuleText): object {
  return {
    id,
    name: id.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: { text: why },
    defaultConfiguration: { level: severities[level].word },
    properties: { tags: ["security"], "security-severity": severities[level].number },
  };
}

function messageOf({ message, decoded }: ScanFinding): string {
  return decoded === null ? message : `${message}. Decoded: ${decoded}`;
}

function locationOf({ finding, path }: PlacedFinding, here: string): object {
  const { line } = finding.at;
  const snippet = finding.excerpt === null ? {} : { snippet: { text: finding.excerpt } };
  return { physicalLocation: { artifactLocation: artifactOf(path, here), region: { startLine: line, ...snippet } } };
}

function artifactOf(path: string, here: string): object {
  const from = fromHere(here, path.toWellFormed());
  if (from.outside) return { uri: pathToFileURL(`${here}/${from.path}`).href };
  const uri = from.path.split("/").map(encodeURIComponent).join("/");
  return { uri, uriBaseId: "%SRCROOT%" };
}

/** By what was found in which file, not by its line or by what else changed there. What stands there twice is counted. */
function fingerprints(): (placed: PlacedFinding) => string {
  const seen = new Map<string, number>();
  return ({ path, finding: { code, excerpt, decoded } }) => {
    const what = JSON.stringify([code, safeLine(path, 1024), excerpt, decoded]);
    const count = (seen.get(what) ?? 0) + 1;
    seen.set(what, count);
    return `${createHash("sha256").update(what).digest("hex")}:${count}`;
  };
}

function suppressionsOf({ baseline }: ScanFinding): object[] {
  return baseline ? [{ kind: "external", status: "accepted", justification: "accepted in the baseline" }] : [];
}

const words: Readonly<Record<Level, "error" | "warning" | "notice">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "notice",
  info: "notice",
};

/**
 * Workflow commands of GitHub Actions, one for each open finding. The heaviest first: a page shows only the first ten
 * of a kind.
 */
export function renderAnnotations(report: ScanReport, here: string): string[] {
  return placedFindings(report)
    .filter(({ finding }) => !finding.baseline)
    .toSorted((a, b) => levels.indexOf(b.finding.level) - levels.indexOf(a.finding.level))
    .map((placed) => annotationOf(placed, here));
}

function annotationOf({ finding, path }: PlacedFinding, here: string): string {
  const properties = [
    ["file", withoutOrders(safeLine(fromHere(here, path).path, 1024))],
    ["line", String(finding.at.line)],
    ["title", `${finding.code} (${finding.level})`],
  ];
  const said = properties.map(([name = "", value = ""]) => `${name}=${escapeProperty(value)}`).join(",");
  return `::${words[finding.level]} ${said}::${escapeText(textOf(finding))}`;
}

function textOf({ message, excerpt, decoded, why }: ScanFinding): string {
  const lines = [
    safeLine(message, 400),
    excerpt === null ? null : `> ${safeLine(excerpt, 240)}`,
    decoded === null ? null : `decoded: ${safeLine(decoded, 600)}`,
    why,
  ];
  return withoutOrders(lines.filter((line) => line !== null).join("\n"));
}

/** As GitHub's own toolkit does: a text ends with its line, so what ends a line must not stand in it. */
function escapeText(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function escapeProperty(text: string): string {
  return escapeText(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}

/** A finding, and the path of its file as the person named it. */
interface PlacedFinding {
  readonly finding: ScanFinding;
  readonly path: string;
}

/** Where a finding is: a skill's folder and the file in it, or the file that was named by itself. */
export function pathOf({ path, kind }: Pick<ScannedSkill, "path" | "kind">, { at }: ScanFinding): string {
  return kind === "file" ? path : posix.join(path, at.file);
}

/** Every finding of a report: what is about the set first, then skill by skill. */
function placedFindings({ findings, skills }: ScanReport): PlacedFinding[] {
  const about = findings.map((finding) => ({ finding, path: finding.at.file }));
  return [
    ...about,
    ...skills.flatMap((skill) => skill.findings.map((finding) => ({ finding, path: pathOf(skill, finding) }))),
  ];
}

/** A path from the folder a command was started in; `outside`: it does not lie below it. */
function fromHere(here: string, path: string): { path: string; outside: boolean } {
  const relative = posix.relative(here, posix.resolve(here, path));
  return { path: relative === "" ? "." : relative, outside: /^\.\.(?:\/|$)/.test(relative) };
}
