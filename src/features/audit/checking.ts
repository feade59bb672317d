import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { VerificationPart } from "./schema.ts";

export const partNames = [
  "checkpoint",
  "audit",
  "ledger",
  "usage",
  "revisions",
  "summaries",
  "users",
  "keys",
  "providers",
  "tokens",
  "published",
  "entries",
] as const;
export type PartName = (typeof partNames)[number];

export type OnProgress = (part: PartName, done: number, total: number) => void;

/** A store that was changed throughout has as many faults as rows: so many are shown, and the rest is counted. */
const mostShown = 100;

/** What a check fills in while it works. */
export class Checking {
  checked = 0;
  note: string | null = null;
  #found = 0;
  readonly #findings: Finding[] = [];
  readonly #name: PartName;
  readonly #onProgress: OnProgress;

  constructor(name: PartName, onProgress: OnProgress) {
    this.#name = name;
    this.#onProgress = onProgress;
  }

  readonly say = (finding: Finding): void => {
    this.#found++;
    if (this.#findings.length < mostShown) this.#findings.push(finding);
  };

  readonly progress = (done: number, total: number): void => this.#onProgress(this.#name, done, total);

  get part(): VerificationPart {
    const { checked, note } = this;
    return { part: this.#name, checked, note, found: this.#found, findings: this.#findings };
  }

  /** One part that cannot be read at all must not keep the others from being looked at. */
  async run<Result>(act: (checking: Checking) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act(this);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const at = { file: this.#name, line: 1 };
      this.say({ code: `${this.#name}.unreadable`, level: "critical", message: error.message, at });
      return undefined;
    }
  }
}
