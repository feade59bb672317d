import type { AppError } from "../../core/error.ts";

/** How a node stands to its store, and what it could go on with (SV-7). */
export interface StoreStanding {
  /** Null: it is there. */
  readonly away: {
    readonly since: number;
    /** Since it last answered, and for how many the reserve holds. */
    readonly seconds: number;
    readonly mostSeconds: number;
    readonly why: Absence;
  } | null;
  /** How often it did not answer. */
  readonly failures: number;
  readonly reserve: { readonly generation: number; readonly missingBodies: number } | null;
}

export const there: StoreStanding = { away: null, failures: 0, reserve: null };

/** It does not answer; what answers is another one, or an older state of it; it follows a key file that this node does not have. */
export type Absence = "silent" | "another" | "rotated";

/** What becomes of the store, for the log of the server. */
export interface StandbyEvents {
  /** Once when it goes, and again when what came back is not the store that went. */
  readonly onAway: (fault: AppError) => void;
  readonly onBack: (seconds: number) => void;
  /** What this node would need without its store could not be kept: the reserve, or a body. */
  readonly onFailure: (error: unknown) => void;
}
