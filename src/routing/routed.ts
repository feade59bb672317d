import type { EntryId } from "../core/ids.ts";
import type { Finding } from "../core/finding.ts";
import type { Kind } from "../skill/manifest.ts";

/** When routing goes on and when it gives up (RT-3). All from 0 to 1, on confidences that are absolute. */
export interface Thresholds {
  /** From here on the best match is good enough to ask no further link. */
  readonly accept: number;
  /** By so much the best must lead the second; closer than that, the two are ambiguous. */
  readonly margin: number;
  /** When it is less likely than this that the right skill is among those found, nothing is chosen: `route_floor`. */
  readonly floor: number;
}

/** How a query is asked. What is left out is the router's own. */
export interface RouteOptions {
  /** What is known of the work at hand beside the words: the files that it is about, with `/`. */
  readonly context?: { readonly paths?: readonly string[] };
  /** At most so many matches. */
  readonly limit?: number;
  /** What may be chosen at all; without it, the whole shelf (RT-5). */
  readonly among?: ReadonlySet<EntryId>;
  /** "What is", "how to operate", or both (RT-5). */
  readonly kinds?: readonly Kind[];
  readonly thresholds?: Partial<Thresholds>;
  readonly signal?: AbortSignal;
}

/** A skill that was found, how sure that is, and why (RT-1). */
export interface Match {
  readonly entry: EntryId;
  /** Of the strongest among it and those that are alike; 0 for one that a judge put aside, which is ranked only. */
  readonly confidence: number;
  /** The link whose evidence counted. */
  readonly link: string;
  /** The evidence in words that a person can read. */
  readonly why: string;
  /** Others of the same or nearly the same text: whoever is given one of them needs none of the others. */
  readonly alike: readonly EntryId[];
}

export interface Routed {
  /** The best first; empty when nothing fits. */
  readonly matches: readonly Match[];
  readonly abstained: boolean;
  /** The first matches are too close to call (RT-3). */
  readonly ambiguous: boolean;
  /** So many of the first matches cannot be told apart: 1 when the best one is clear, 0 without any. */
  readonly tied: number;
  readonly findings: readonly Finding[];
  readonly trace: Trace;
}

/** What became of a link: `none` has nothing to say, `failed` and `late` count as that and leave a finding (RT-4). */
export type Outcome = "answered" | "none" | "failed" | "late" | "skipped";

export interface TraceStep {
  readonly link: string;
  readonly outcome: Outcome;
  readonly milliseconds: number;
  /** What it said, the best first; at most ten. */
  readonly said: readonly { readonly entry: EntryId; readonly confidence: number; readonly why: string }[];
  /** Why it was skipped or failed, or how many more it named; null when there is nothing to add. */
  readonly note: string | null;
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  /** Why no further link was asked, and what came of it. */
  readonly stopped: string;
  /** How likely it is that the right one is among the first five: what the floor is held against. */
  readonly likelihood: number;
  /** Everything that was found, the floor not applied: what quality is measured on. */
  readonly ranked: readonly Match[];
  readonly thresholds: Thresholds;
}
