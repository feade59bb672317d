import type { Decision, Finding, Level, ReviewView } from "#contract";

const heaviest: readonly Level[] = ["critical", "high", "medium", "low", "info"];

export function heaviestFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => heaviest.indexOf(a.level) - heaviest.indexOf(b.level));
}

/** High and critical ones block until a person overrides them (RV-6). */
export function blocks({ level }: Finding): boolean {
  return level === "high" || level === "critical";
}

/** What was overridden on exactly these bytes. */
export function liftedOn(decisions: readonly Decision[], digest: string): ReadonlySet<string> {
  return new Set(decisions.flatMap((each) => (each.digest === digest ? each.overrides : [])));
}

/** The codes of what still blocks, the heaviest first. */
export function openCodes({ revision: { findings, digest }, decisions }: ReviewView): readonly string[] {
  const lifted = liftedOn(decisions, digest);
  const codes = heaviestFirst(findings.filter(blocks)).map(({ code }) => code);
  return [...new Set(codes)].filter((code) => !lifted.has(code));
}

/** What is needed to show findings in their place. */
export interface Found {
  readonly findings: readonly Finding[];
  /** Why each kind matters, by its code. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly lifted: ReadonlySet<string>;
}

export const nothingFound: Found = { findings: [], reasons: {}, lifted: new Set() };

/** Those of one file, by the line that each is about. */
export function findingsIn({ findings }: Found, file: string): ReadonlyMap<number, readonly Finding[]> {
  const placed = new Map<number, Finding[]>();
  for (const finding of heaviestFirst(findings)) {
    if (finding.at.file !== file) continue;
    placed.set(finding.at.line, [...(placed.get(finding.at.line) ?? []), finding]);
  }
  return placed;
}
