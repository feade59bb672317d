/** `skillward/skill`: from bytes to a parsed skill, without touching disk or network. */
export type { Digest, FileDigest } from "./core/digest.ts";
export { setDigest, sha256 } from "./core/digest.ts";
export type { Finding, Level, Place } from "./core/finding.ts";
export { blocks, levels } from "./core/finding.ts";
export type { Profile, SkillLimits } from "./core/limits.ts";
export { profiles } from "./core/limits.ts";
export { nameKey, safeLine, safeName } from "./core/text.ts";
export type { Bundle, BundleFile } from "./skill/bundle.ts";
export { createBundle } from "./skill/bundle.ts";
export type { Value } from "./skill/core-value.ts";
export type { Kind, Manifest } from "./skill/manifest.ts";
export { renderManifest } from "./skill/render-manifest.ts";
export { renderSchemas } from "./skill/schema.ts";
export type { ScopeDeclaration, ScopeRule } from "./skill/scope-file.ts";
export type { Contract, SkillScope } from "./skill/sidecars.ts";
export type { Parsed, Skill } from "./skill/skill.ts";
export { parse } from "./skill/skill.ts";
export type { Support } from "./skill/support.ts";
