import { AppError } from "../../../base/error.ts";
import { blocks, type Finding } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";
import type { Bundle } from "../../../ingest/skill/bundle.ts";
import { parse } from "../../../ingest/skill/skill.ts";
import type { AgentSkill, OpenedSkill, SkillRoot } from "./agent-skill.ts";
import { whyUnusable } from "./skill-facts.ts";

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
