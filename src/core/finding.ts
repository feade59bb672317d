/** How much a finding weighs. High and above block. */
export type Level = "info" | "low" | "medium" | "high" | "critical";

/** Levels from the lightest to the heaviest. */
export const levels = ["info", "low", "medium", "high", "critical"] as const satisfies readonly Level[];

/** Where something was seen. `line` is 1-based; 1 also stands for the file as a whole. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Something seen in a skill or a step. Bad content is data: it is returned, never thrown. */
export interface Finding {
  readonly code: string;
  readonly level: Level;
  readonly message: string;
  readonly at: Place;
  /** What stands there, on one line and made visible, at most 120 characters (RV-6). */
  readonly excerpt?: string;
  /** What was hidden or encoded there, decoded and made visible (T27). */
  readonly decoded?: string;
}

export function isAtLeast(level: Level, floor: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(floor);
}

/** High and critical findings block until a person overrides them. */
export function blocks({ level }: Pick<Finding, "level">): boolean {
  return isAtLeast(level, "high");
}

export function heaviestFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level));
}
