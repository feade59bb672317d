/** The public surface of Skillward. */
import { type ValidateOptions, type ValidationReport, validate } from "./app/validate.ts";
import { createWorld } from "./app/world.ts";

export type { SkillReport, ValidateOptions, ValidationReport } from "./app/validate.ts";
export { AppError, type ErrorCode } from "./base/error.ts";
export { type EntryId, type EntryParts, entryId, isSourceId, parseEntryId } from "./base/ids.ts";
export type { Clock, EntryKind, Files, FilesToWrite, FolderEntry, Listing, TooLarge } from "./base/world.ts";
export * from "./skill.ts";

/** Checks every skill in the folders that are named, as `skillward validate` does. */
export function validateSkills(paths: readonly string[], options: ValidateOptions = {}): Promise<ValidationReport> {
  return validate(createWorld().files, paths, options);
}
