/** The public surface of Skillward. */
import { type ScanOptions, type ScanReport, scan } from "./features/bundles/scan.ts";
import { type ValidateOptions, type ValidationReport, validate } from "./features/bundles/validate.ts";
import { createWorld } from "./app/world/world.ts";

export type { ScanFinding, ScannedSkill, ScanOptions, ScanReport } from "./features/bundles/scan.ts";
export type { SkillReport, ValidateOptions, ValidationReport } from "./features/bundles/validate.ts";
export { AppError, type ErrorCode } from "./core/error.ts";
export { type EntryId, type EntryParts, entryId, isSourceId, parseEntryId } from "./core/ids.ts";
export type { Clock, EntryKind, Files, FilesToWrite, FolderEntry, Listing, TooLarge } from "./core/world.ts";
export { type Capabilities, type CapabilityKind, capabilityKinds } from "./scan/capabilities.ts";
export type { BundleDiff, Delta, DiffLine, FieldChange, FileDiff, Hunk } from "./diff/diff.ts";
export { diffBundles } from "./diff/diff.ts";
export { type Scan, scanBundle } from "./scan/scan.ts";
export { type Piece, type VisibleFile, visibleFile } from "./diff/visible.ts";
export { whyOf } from "./scan/rules.ts";
export * from "./skill.ts";

/** Checks every skill in the folders that are named, as `skillward validate` does. */
export function validateSkills(paths: readonly string[], options: ValidateOptions = {}): Promise<ValidationReport> {
  return validate(createWorld().files, paths, options);
}

/** Scans every skill in the folders that are named, and single files, as `skillward scan` does. */
export function scanSkills(paths: readonly string[], options: ScanOptions = {}): Promise<ScanReport> {
  return scan(createWorld().files, paths, options);
}
