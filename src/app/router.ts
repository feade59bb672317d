import type { Finding } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";
import type { Target } from "./targets.ts";

/** What routing adds to the skills that are attached. */
export interface RoutedChoice {
  readonly entries: readonly EntryId[];
  readonly findings: readonly Finding[];
}

/** Chooses for requests: one for all doors. */
export interface Router {
  /**
   * CO-13: the skills that a request gets beside the attached ones, of the target's generation. Nothing when its
   * configuration has routing off, or nothing that routing could add. May reject: whoever asks goes on without it (`route.failed`).
   */
  chooseFor(target: Target, query: string, signal?: AbortSignal): Promise<RoutedChoice>;
}
