import { AppError } from "../../core/error.ts";
import { blocks, type Finding } from "../../core/finding.ts";
import { entryId } from "../../core/ids.ts";
import { safeLine, safeName } from "../../core/text.ts";
import type { Bundle } from "../../skill/bundle.ts";
import type { Value } from "../../skill/core-value.ts";
import { isRefused } from "../../skill/faults.ts";
import { type Parsed, parse, type Skill } from "../../skill/skill.ts";
import { keepHeaviest, placedIn } from "../agent-faults.ts";
import type { AgentSkill, OpenedSkill, RootSkill, SkillRoot } from "./agent-skill.ts";

/** What a scanner says of a bundle. */
export type ScanBundle = (bundle: Bundle) => Promise<readonly Finding[]> | readonly Finding[];

/** The bytes that the set has, read anew. */
export async function readBytes(root: SkillRoot, skill: AgentSkill): Promise<Bundle> {
  const bundle = await root.open(skill.entry).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw unusable(skill, error.message);
  });
  if (bundle.digest === null || bundle.digest !== skill.digest)
    throw unusable(skill, "changed since it was read; load it again with /skills reload");
  return bundle;
}

/** The skill at the moment of use (CO-2). Whatever it was when it was listed, it is judged by the bytes of now. */
export async function openSkill(root: SkillRoot, skill: AgentSkill, scan: ScanBundle): Promise<OpenedSkill> {
  if (skill.unusable !== null) throw unusable(skill, skill.unusable);
  const bundle = await readBytes(root, skill);
  const parsed = parse(bundle, "workspace");
  if (parsed.skill === undefined) throw unusable(skill, whyUnusable(parsed) ?? "it cannot be read as a skill");
  // Of the registry people decided on exactly these bytes and their findings, and may have overridden what blocks.
  if (skill.origin === "registry") return { of: skill, bundle, skill: parsed.skill, findings: [] };
  const findings = await scan(bundle);
  const blocking = findings.find(blocks);
  const why = whyUnusable(parsed) ?? (blocking === undefined ? null : `${blocking.code}: ${blocking.message}`);
  if (why !== null) throw unusable(skill, why);
  return { of: skill, bundle, skill: parsed.skill, findings };
}

export function unusable({ alias }: Pick<AgentSkill, "alias">, why: string): AppError {
  return new AppError("entry.unusable", `the skill ${safeLine(alias, 240)} cannot be used: ${safeLine(why, 320)}`);
}

/** Of one skill: a header can hold 64 KiB, and thousands of skills are kept in memory. */
const longestDescription = 4_096;
const mostFindings = 50;
const longestHint = 120;

/** What is known of a skill in a folder from its bytes. It is not scanned: that is dear, and done when it is opened. */
export function factsOf(source: string, path: string, folder: string, bundle: Bundle): RootSkill {
  const parsed = parse(bundle, "workspace");
  const { skill } = parsed;
  const findings = parsed.findings.map((each) => placedIn(safeLine(`${path || "."}/${each.at.file}`, 240), each));
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

/** Why a skill cannot be used, in the words of a finding. Nobody is there who could override what blocks. */
function whyUnusable({ skill, findings }: Parsed): string | null {
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
