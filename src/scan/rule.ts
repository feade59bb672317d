import type { Level } from "../core/finding.ts";
import type { ScanText } from "./text.ts";

/** Something that a matcher saw: a stretch of the text that a model reads. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** The stretch is of `raw`, the text as it was written, not of `text`. */
  readonly inRaw?: boolean;
  /** What was hidden or encoded there, as it is; it is made visible where it is shown. */
  readonly decoded?: string;
  /** What exactly was seen, where the rule's title is too general: one short clause. */
  readonly says?: string;
}

/** Finds stretches of a text, in the order in which they stand. */
export interface Matcher {
  /** Every regular expression it runs: a test proves each to be linear (T26). */
  readonly patterns: readonly RegExp[];
  readonly find: (text: ScanText) => readonly Hit[];
}

/** One thing to look for: data in a file of its own, with the texts that show what it is and what it is not (RV-6). */
export interface Rule {
  /** `family.thing`; the code of its findings. */
  readonly id: string;
  readonly level: Level;
  /** What it found, in one clause: "downloads a program and runs it". */
  readonly title: string;
  /** Why it matters and what to do, for the reviewer and the documentation. */
  readonly why: string;
  /**
   * Its level where the text only speaks of it: quotes it, warns of it, explains how to detect it. Without one, `medium`
   * when the rule blocks. `same`: talking about it is as bad.
   */
  readonly mentioned?: Level | "same";
  readonly match: Matcher;
  /** Texts in which it must be found, and texts that look similar and are fine. At least three of each. */
  readonly hostile: readonly string[];
  readonly benign: readonly string[];
}
