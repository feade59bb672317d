/** `skillward/skill`: from bytes to a parsed skill, without touching disk or network. */
export type { Digest, FileDigest } from "./base/digest.ts";
export { setDigest, sha256 } from "./base/digest.ts";
export type { Finding, Level, Place } from "./base/finding.ts";
export { blocks, levels } from "./base/finding.ts";
export type { Profile, SkillLimits } from "./base/limits.ts";
export { profiles } from "./base/limits.ts";
export { nameKey, safeLine, safeName } from "./base/text.ts";
export type { Bundle, BundleFile } from "./ingest/skill/bundle.ts";
export { createBundle } from "./ingest/skill/bundle.ts";
export type { Value } from "./ingest/skill/core-value.ts";
export type { Kind, Manifest } from "./ingest/skill/manifest.ts";
export { renderManifest } from "./ingest/skill/render-manifest.ts";
export { renderSchemas } from "./ingest/skill/schema.ts";
export type { ScopeDeclaration, ScopeRule } from "./ingest/skill/scope-file.ts";
export type { Contract, SkillScope } from "./ingest/skill/sidecars.ts";
export type { Parsed, Skill } from "./ingest/skill/skill.ts";
export { parse } from "./ingest/skill/skill.ts";
export type { Support } from "./ingest/skill/support.ts";
