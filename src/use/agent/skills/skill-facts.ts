import { blocks, type Finding } from "../../../base/finding.ts";
import { entryId } from "../../../base/ids.ts";
import { safeLine, safeName } from "../../../base/text.ts";
import type { Bundle } from "../../../ingest/skill/bundle.ts";
import type { Value } from "../../../ingest/skill/core-value.ts";
import { isRefused } from "../../../ingest/skill/faults.ts";
import { type Parsed, parse, type Skill } from "../../../ingest/skill/skill.ts";
import type { RootSkill } from "./agent-skill.ts";
import { keepHeaviest } from "./heaviest.ts";

/** Of one skill: a header can hold 64 KiB, and thousands of skills are kept in memory. */
const longestDescription = 4_096;
const mostFindings = 50;
const longestHint = 120;

/** What is known of a skill in a folder from its bytes. It is not scanned: that is dear, and done when it is opened. */
export function factsOf(source: string, path: string, folder: string, bundle: Bundle): RootSkill {
  const parsed = parse(bundle, "workspace");
  const { skill } = parsed;
  const findings = parsed.findings.map((each) => placedIn(path || ".", each));
  return {
    entry: entryId({ source, path }),
    path,
    folder,
    name: safeName(skill?.manifest.name ?? bundle.folder),
    description: (skill?.manifest.description ?? "").slice(0, longestDescription).toWellFormed(),
    digest: bundle.digest,
    unusable: whyUnusable(parsed),
    byModel: skill?.manifest.modelInvocable ?? false,
    byPerson: skill?.manifest.userInvocable ?? false,
    argumentHint: hintOf(skill),
    asks: skill?.manifest.allowedTools ?? [],
    approved: null,
    findings: keepHeaviest(findings, mostFindings, path || "."),
  };
}

function placedIn(folder: string, seen: Finding): Finding {
  return { ...seen, at: { ...seen.at, file: safeLine(`${folder}/${seen.at.file}`, 240) } };
}

/** Why a skill cannot be used, in the words of a finding. Nobody is there who could override what blocks. */
export function whyUnusable({ skill, findings }: Parsed): string | null {
  const why = findings.find((each) => isRefused([each], "workspace")) ?? findings.find(blocks);
  if (why !== undefined) return `${why.code}: ${why.message}`;
  return skill === undefined ? "it cannot be read as a skill" : null;
}

/** `argument-hint` is written as text, or as `[file]`, which YAML takes for a list. */
function hintOf(skill: Skill | undefined): string | null {
  const hint = skill?.frontmatter["argument-hint"];
  const text = isTexts(hint) ? `[${hint.join(", ")}]` : hint;
  return typeof text === "string" && text.trim() !== "" ? safeLine(text.trim(), longestHint) : null;
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
