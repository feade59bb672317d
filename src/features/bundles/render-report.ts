import type { SkillReport, ValidationReport } from "./validate.ts";
import { blocks, type Finding, heaviestFirst, type Level } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Output } from "../command/output.ts";
import { plural } from "../command/render.ts";

type Style = Output["style"];

/** A report for a person: a line for each skill with both verdicts, its findings below it, a sum at the end. */
export function renderReport(report: ValidationReport, style: Style): string {
  const width = Math.max(0, ...report.skills.map(({ name }) => name.length));
  const skills = report.skills.map((skill) => renderSkill(skill, width, style));
  const about = report.findings.map((finding) => renderFinding(finding, "", style));
  return [...skills, ...about, ...(skills.length + about.length > 0 ? [""] : []), renderSum(report, style)].join("\n");
}

function renderSkill(skill: SkillReport, width: number, style: Style): string {
  const mark = skill.passes ? style("green", "✓") : style("red", "✗");
  const name = style("bold", skill.name) + " ".repeat(width - skill.name.length);
  const loadable = skill.loadable ? "loadable" : style("red", "not loadable");
  const strict = skill.strict ? "strict" : style("yellow", "not strict");
  const facts = [loadable, strict, skill.kind, skill.support, plural(skill.files.length, "file")].filter(
    (fact) => fact !== null,
  );
  const digest = style("dim", skill.digest?.slice(0, 12) ?? "no digest   ");
  const line = `${mark} ${name}  ${digest}  ${facts.join(" · ")}`;
  return [
    line,
    ...heaviestFirst(skill.findings).map((finding) => renderFinding(finding, `${skill.path}/`, style)),
  ].join("\n");
}

const colours: Readonly<Record<Level, Parameters<Style>[0]>> = {
  info: "dim",
  low: "cyan",
  medium: "yellow",
  high: "red",
  critical: "red",
};

function renderFinding({ code, level, message, at }: Finding, folder: string, style: Style): string {
  const place = safeLine(`${folder}${at.file}:${at.line}`, 240);
  return `    ${style(colours[level], level.padEnd(8))} ${code.padEnd(19)} ${message}\n${" ".repeat(13)}${style("dim", place)}`;
}

function renderSum({ profile, passes, skills, findings }: ValidationReport, style: Style): string {
  const all = [...findings, ...skills.flatMap((skill) => skill.findings)];
  const count = (what: string, holds: (skill: SkillReport) => boolean) => `${skills.filter(holds).length} ${what}`;
  const sums = [
    plural(skills.length, "skill"),
    count("loadable", ({ loadable }) => loadable),
    count("strict", ({ strict }) => strict),
    `${plural(all.length, "finding")}, ${all.filter(blocks).length} blocking`,
  ];
  const verdict = passes ? style("green", `pass ${profile}`) : style("red", `fail ${profile}`);
  return `${sums.join(", ")}: ${verdict}`;
}
