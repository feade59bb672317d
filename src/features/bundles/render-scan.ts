import type { ScanFinding, ScannedSkill, ScanReport } from "./scan.ts";
import { isAtLeast, type Level, levels } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { withoutOrders } from "../command/safe-output.ts";
import type { Output } from "../command/output.ts";
import { capabilityKinds } from "../../scan/capabilities.ts";
import { colours, plural, renderCapabilities, short, wrap } from "../command/render.ts";
import { pathOf } from "./sarif.ts";

type Style = Output["style"];

/** As wide as a terminal is at least, and as a build shows without breaking lines. */
const width = 80;
/** One long name does not push the verdicts of the others out of sight. */
const widestName = 32;
const margin = "    ";
const inner = " ".repeat(14);

/** A scan for a person: a line with the verdict for each skill, what it can reach, its findings, a sum at the end. */
export function renderScan(report: ScanReport, style: Style): string {
  const told = new Set<string>();
  const longest = Math.min(widestName, Math.max(0, ...report.skills.map(({ name }) => name.length)));
  const about = report.findings.map((finding) => renderFinding(finding, finding.at.file, told, style));
  const skills = report.skills.map((skill) => renderSkill(skill, longest, report.failOn, told, style));
  const parts = [...about, ...skills];
  return withoutOrders([...parts, ...(parts.length > 0 ? [""] : []), renderScanSum(report, style)].join("\n"));
}

/** How many of what, and the verdict. What was accepted is always said: a baseline hides nothing. */
export function renderScanSum({ skills, counts, passes, failOn }: ScanReport, style: Style): string {
  const alone = skills.filter(({ kind }) => kind === "file").length;
  const open = levels.reduce((sum, level) => sum + counts[level], 0);
  const sums = [
    ...(alone < skills.length || alone === 0 ? [plural(skills.length - alone, "skill")] : []),
    ...(alone > 0 ? [plural(alone, "file")] : []),
    open === 0 ? "no findings" : plural(open, "finding"),
    ...(counts.accepted > 0 ? [`${counts.accepted} accepted`] : []),
  ];
  const verdict = passes
    ? style("green", `pass (none at ${failOn} or above)`)
    : style("red", `fail (${counts.failing} at ${failOn} or above)`);
  return `${sums.join(", ")}: ${verdict}`;
}

function renderSkill(skill: ScannedSkill, longest: number, failOn: Level, told: Set<string>, style: Style): string {
  const open = skill.findings.filter(({ baseline }) => !baseline);
  const fails = open.some(({ level }) => isAtLeast(level, failOn));
  const mark = fails ? style("red", "✗") : style("green", "✓");
  const digest = style("dim", skill.digest === null ? "no digest   " : short(skill.digest));
  const name = style("bold", skill.name) + " ".repeat(Math.max(0, longest - skill.name.length));
  return [
    `${mark} ${name}  ${digest}  ${renderCounts(skill.findings, style)}`,
    ...(reachesAnything(skill) ? indented(renderCapabilities(skill.capabilities, 8), margin) : []),
    ...skill.findings.map((finding) => renderFinding(finding, pathOf(skill, finding), told, style)),
  ].join("\n");
}

function renderCounts(findings: readonly ScanFinding[], style: Style): string {
  if (findings.length === 0) return style("green", "clean");
  const open = findings.filter(({ baseline }) => !baseline);
  const byLevel = levels.toReversed().flatMap((level) => {
    const count = open.filter((each) => each.level === level).length;
    return count === 0 ? [] : [style(colours[level], `${count} ${level}`)];
  });
  const accepted = findings.length - open.length;
  return [...byLevel, ...(accepted > 0 ? [style("dim", `${accepted} accepted`)] : [])].join(", ");
}

function reachesAnything({ capabilities }: ScannedSkill): boolean {
  return capabilityKinds.some((kind) => capabilities[kind].length > 0);
}

function renderFinding(finding: ScanFinding, path: string, told: Set<string>, style: Style): string {
  const { code, level, message, excerpt, decoded, why, baseline } = finding;
  const head = renderHead(finding, path, style);
  const said = indented(safeLine(message, 400), inner);
  if (baseline) return [head, ...said.map((line) => style("dim", line))].join("\n");
  const shown = [
    ...(excerpt === null ? [] : quoted(safeLine(excerpt, 240), ">")),
    ...(decoded === null ? [] : quoted(safeLine(decoded, 600), "=")),
  ].map((line) => style(colours[level], line));
  // Once for each code: the second time nobody reads it.
  const reason = why === null || told.has(code) ? [] : indented(why, inner).map((line) => style("dim", line));
  told.add(code);
  return [head, ...said, ...shown, ...reason].join("\n");
}

/** The code stands on a line of its own where the path leaves no room for it. */
function renderHead({ code, level, at, baseline }: ScanFinding, path: string, style: Style): string {
  const place = safeLine(`${path}:${at.line}`, 1024);
  const shownCode = baseline ? `${code} (${level})` : code;
  const word = baseline ? style("dim", "accepted") : style(colours[level], level.padEnd(8));
  const fits = inner.length + place.length + 2 + shownCode.length <= width;
  return `${margin}${word}  ${place}${fits ? "  " : `\n${inner}`}${style("bold", shownCode)}`;
}

/** Text of the skill: each of its lines has a mark, so that none can pass for a line of the report. */
function quoted(text: string, mark: ">" | "="): string[] {
  return wrap(text, width - inner.length - 2).map((line) => `${inner}${mark} ${line}`);
}

function indented(text: string, indent: string): string[] {
  return text === "" ? [] : wrap(text, width - indent.length).map((line) => indent + line);
}
