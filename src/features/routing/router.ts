import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import type { Target } from "../configurations/targets.ts";

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

/** What came of a question: a skill, none that fits, or a fault. */
export type RouteOutcome = "answered" | "abstained" | "failed";

/** The same router; what comes of each question is told (SV-8). Whoever has left before it was answered does not count. */
export function toldRouter(router: Router, tell: (outcome: RouteOutcome) => void): Router {
  return {
    chooseFor: (target, query, signal) =>
      toldRoute(router.chooseFor(target, query, signal), ({ entries }) => entries.length > 0, tell, signal),
  };
}

export async function toldRoute<Answer>(
  asking: Promise<Answer>,
  isAnswered: (answer: Answer) => boolean,
  tell: (outcome: RouteOutcome) => void,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const answer = await asking;
    tell(isAnswered(answer) ? "answered" : "abstained");
    return answer;
  } catch (error) {
    if (signal?.aborted !== true) tell("failed");
    throw error;
  }
}
