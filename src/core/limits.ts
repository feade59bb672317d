/** What a skill is held to. `strict` is the public specification; `registry` adds what a team's own bundles owe. */
export type Profile = "workspace" | "ingest" | "strict" | "registry";

export const profiles: readonly Profile[] = ["workspace", "ingest", "strict", "registry"];

const KiB = 1024;
const MiB = 1024 * KiB;

/** Every bound on one skill, in bytes unless it says otherwise (SK-3, SK-4, SK-8, SK-11). */
export interface SkillLimits {
  readonly headerBytes: number;
  readonly bodyBytes: number;
  readonly fileBytes: number;
  readonly yamlDepth: number;
  readonly yamlNodes: number;
  readonly extraBytes: number;
  readonly extraDepth: number;
  readonly extraKeys: number;
  readonly toolEntries: number;
  readonly toolBytes: number;
  readonly bundleFiles: number;
  readonly bundleBytes: number;
}

/** Every bound on looking for skills in a folder. */
export interface WalkLimits {
  readonly depth: number;
  readonly folders: number;
  readonly folderEntries: number;
  readonly skills: number;
}

/** Every bound on what a scope declares, in `scope.yaml` and in code alike: one count of characters or entries each (SC-1). */
interface ScopeLimits {
  readonly version: number;
  readonly steps: number;
  readonly stepCharacters: number;
  readonly outputType: number;
  readonly rules: number;
  readonly ruleSkill: number;
  readonly ruleReason: number;
}

const shared: SkillLimits = {
  headerBytes: 64 * KiB,
  bodyBytes: 1 * MiB,
  fileBytes: 1 * MiB,
  yamlDepth: 10,
  yamlNodes: 4096,
  extraBytes: 8 * KiB,
  extraDepth: 4,
  extraKeys: 100,
  toolEntries: 64,
  toolBytes: 256,
  bundleFiles: 512,
  bundleBytes: 16 * MiB,
};

/** The one place for bounds. Configuration may replace a value; nothing is ever unlimited. */
export const limits = {
  skill: {
    workspace: shared,
    ingest: { ...shared, headerBytes: 8 * KiB, bodyBytes: 256 * KiB },
    strict: shared,
    registry: shared,
  } satisfies Record<Profile, SkillLimits>,
  scope: {
    version: 256,
    steps: 256,
    stepCharacters: 1000,
    outputType: 256,
    rules: 64,
    ruleSkill: 256,
    ruleReason: 1000,
  } satisfies ScopeLimits,
  walk: { depth: 16, folders: 20_000, folderEntries: 20_000, skills: 5_000 } satisfies WalkLimits,
  /** Bytes of all skills in one prompt, where nobody says otherwise (CO-6). */
  budget: 24_000,
};

/** Defaults with the usable values of `wanted` laid over: 0 or rubbish means the default (SK-3). */
export function withDefaults<Limits extends object>(defaults: Limits, wanted: Partial<Limits> = {}): Limits {
  const usable = Object.entries(wanted).filter(
    ([, value]) => typeof value === "number" && Number.isSafeInteger(value) && value > 0,
  );
  return { ...defaults, ...Object.fromEntries(usable) };
}
