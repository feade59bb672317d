import { type Finding, levels } from "../../base/finding.ts";
import { reviewFaults } from "../review-faults.ts";

/** So many are kept of one bundle. */
const mostFindings = 200;

/** What is found in a bundle. However much it is, only what can be listed in the end is held (T26). */
export class Collected {
  #held: readonly Finding[] = [];
  #new: Finding[] = [];
  #left = 0;

  add(findings: readonly Finding[]): void {
    for (const finding of findings) this.#new.push(finding);
    if (this.#new.length > 4 * mostFindings) this.#settle();
  }

  /** The heaviest first. The rest is counted, not silent. */
  all(): readonly Finding[] {
    this.#settle();
    if (this.#left === 0) return this.#held;
    const message = `${this.#left} more findings, of kinds that are listed`;
    const { level } = reviewFaults["scan.more"];
    return [...this.#held, { code: "scan.more", level, message, at: { file: "SKILL.md", line: 1 } }];
  }

  #settle(): void {
    const all = heaviestFirst([...this.#held, ...this.#new]);
    this.#held = bounded(all);
    this.#left += all.length - this.#held.length;
    this.#new = [];
  }
}

/** The heaviest of every kind, whatever comes: what blocks is decided by its code. */
function bounded(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= mostFindings) return findings;
  const codes = new Set<string>();
  const isFirst = findings.map(({ code }) => codes.size < codes.add(code).size);
  let room = mostFindings - codes.size;
  return findings.filter((_, at) => isFirst[at] === true || room-- > 0);
}

function heaviestFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      levels.indexOf(b.level) - levels.indexOf(a.level) || compare(a.at.file, b.at.file) || a.at.line - b.at.line,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
