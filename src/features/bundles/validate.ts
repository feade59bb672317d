import { blocks, type Finding } from "../../core/finding.ts";
import { limits, type Profile } from "../../core/limits.ts";
import { safeName } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { loadBundle } from "../../skill/load-bundle.ts";
import type { Kind } from "../../skill/manifest.ts";
import { findCollisions } from "../../skill/name.ts";
import { parse } from "../../skill/skill.ts";
import { findAll, type NamedFolder } from "./named-folders.ts";

/** What is reported of one skill. What could not be read is null. */
export interface SkillReport {
  readonly path: string;
  readonly name: string;
  readonly loadable: boolean;
  readonly strict: boolean;
  /** Meets the chosen profile, and nothing in it blocks. */
  readonly passes: boolean;
  readonly kind: Kind | null;
  readonly support: "full" | "partial" | null;
  readonly digest: string | null;
  readonly bodyChecksum: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly files: readonly { readonly path: string; readonly size: number; readonly digest: string }[];
  readonly findings: readonly Finding[];
}

export interface ValidationReport {
  readonly profile: Profile;
  /** Every skill meets the profile, and nothing blocks in the set as a whole. */
  readonly passes: boolean;
  readonly skills: readonly SkillReport[];
  /** About the set: collisions, duplicates, folders that could not be read. */
  readonly findings: readonly Finding[];
}

export interface ValidateOptions {
  readonly profile?: Profile;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Checks every skill in the folders that were named (SK-15). Rejects only for a path that cannot be looked into. */
export async function validate(
  files: Files,
  paths: readonly string[],
  { profile = "workspace", onProgress }: ValidateOptions = {},
): Promise<ValidationReport> {
  const { folders, findings } = await findAll(files, paths);
  const skills: SkillReport[] = [];
  for (const folder of folders) {
    onProgress?.(skills.length, folders.length);
    skills.push(await reportOf(files, folder, profile));
  }
  onProgress?.(folders.length, folders.length);
  const about = [...findings, ...findCollisions(skills.filter(({ loadable }) => loadable))];
  return { profile, passes: skills.every(({ passes }) => passes) && !about.some(blocks), skills, findings: about };
}

async function reportOf(files: Files, folder: NamedFolder, profile: Profile): Promise<SkillReport> {
  const bundle = await loadBundle(files, folder, limits.skill[profile]);
  const { skill, strict, passes, findings } = parse(bundle, profile);
  return {
    path: folder.shown,
    name: safeName(skill?.manifest.name ?? bundle.folder),
    loadable: skill !== undefined,
    strict,
    passes,
    kind: skill?.manifest.kind ?? null,
    support: skill?.support.level ?? null,
    digest: bundle.digest,
    bodyChecksum: skill?.bodyChecksum ?? null,
    allowedTools: skill?.manifest.allowedTools ?? null,
    files: bundle.files.map(({ path, bytes, digest }) => ({ path, size: bytes.length, digest })),
    findings,
  };
}
