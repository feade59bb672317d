/** The public surface of Skillward. */
import { type ScanOptions, type ScanReport, scan } from "./app/scan.ts";
import { type ValidateOptions, type ValidationReport, validate } from "./app/validate.ts";
import { createWorld } from "./app/world.ts";

export type { ScanFinding, ScannedSkill, ScanOptions, ScanReport } from "./app/scan.ts";
export type { SkillReport, ValidateOptions, ValidationReport } from "./app/validate.ts";
export { AppError, type ErrorCode } from "./base/error.ts";
export { type EntryId, type EntryParts, entryId, isSourceId, parseEntryId } from "./base/ids.ts";
export type { Clock, EntryKind, Files, FilesToWrite, FolderEntry, Listing, TooLarge } from "./base/world.ts";
export { type Capabilities, type CapabilityKind, capabilityKinds } from "./review/capabilities.ts";
export type { BundleDiff, Delta, DiffLine, FieldChange, FileDiff, Hunk } from "./review/diff/diff.ts";
export { diffBundles } from "./review/diff/diff.ts";
export { type Scan, scanBundle } from "./review/scan/scan.ts";
export { type Piece, type VisibleFile, visibleFile } from "./review/visible.ts";
export { whyOf } from "./review/why.ts";
export * from "./skill.ts";

/** Checks every skill in the folders that are named, as `skillward validate` does. */
export function validateSkills(paths: readonly string[], options: ValidateOptions = {}): Promise<ValidationReport> {
  return validate(createWorld().files, paths, options);
}

/** Scans every skill in the folders that are named, and single files, as `skillward scan` does. */
export function scanSkills(paths: readonly string[], options: ScanOptions = {}): Promise<ScanReport> {
  return scan(createWorld().files, paths, options);
}
