import type { CleanReport } from "../../features/review/schema.ts";
import type { EntryLine, RevisionView } from "../../features/skills/schema.ts";
import type { WaitingLine } from "../../features/review/schema.ts";
import type { Said } from "../../features/review/schema.ts";
import type { Saying } from "../../features/review/flow.ts";
import type { SkillDiff } from "../../features/skills/schema.ts";
import type { Finding } from "../../core/finding.ts";
import type { Decision } from "../../registry/ledger/decision.ts";
import type { VisibleFile } from "../../diff/visible.ts";

/** One entry as it is put before a person (RV-4). */
export interface Opened extends EntryLine {
  readonly revision: RevisionView;
  readonly frontmatter: readonly { readonly field: string; readonly value: string }[];
  readonly diff: SkillDiff;
  readonly provenance: Origin;
  readonly decisions: readonly Decision[];
  readonly noticed: readonly Finding[];
}

interface Origin {
  /** One line. */
  readonly from: string;
  /** The links of the way from there to the bytes (IN-8). */
  readonly links: readonly { readonly what: string; readonly proven: boolean }[];
}

export interface Waiting {
  readonly items: readonly (EntryLine & Pick<WaitingLine, "clean">)[];
  /** Those that wait too and are not among the items. */
  readonly more: number;
}

/** What a reviewer at the terminal does; the CLI gives it over the app. */
export interface Desk {
  queue(): Promise<Waiting>;
  open(entry: string): Promise<Opened>;
  raw(entry: string, digest: string): Promise<readonly VisibleFile[]>;
  /** Rejects with `review.stale` when the digest that was shown is not the current one any more (RV-5). */
  say(entry: string, saying: Saying): Promise<Said>;
  approveClean(): Promise<CleanReport>;
  /** Why a finding of this code matters. */
  why(code: string): string | undefined;
}
