import { AppError } from "../../core/error.ts";
import type { Reranker } from "../../core/model.ts";
import type { Link } from "../link.ts";
import type { ShelfEntry } from "../shelf.ts";
import { type Calibration, candidatesOf, confidenceOf, withoutTheirWords } from "./calibration.ts";

interface RerankOptions {
  readonly reranker: Reranker;
  readonly shown?: number;
  readonly timeBox: number;
  /** From a score to a confidence. Without it the score is the confidence: services mean it as a likelihood. */
  readonly calibration?: Calibration;
}

const longestQuery = 4000;
const longestDocument = 1500;

/** RT-2: a model that reads the query beside each of the first candidates, and says how well they go together. */
export function rerankLink({ reranker, shown = 20, timeBox, calibration }: RerankOptions): Link {
  return {
    name: "rerank",
    role: "judges",
    shown,
    timeBox,
    async find(asked) {
      const candidates = candidatesOf(asked, shown);
      if (candidates.length === 0) return [];
      const query = asked.query.text.slice(0, longestQuery).toWellFormed();
      const scores = await withoutTheirWords(reranker.rank(query, candidates.map(documentOf), asked.signal));
      demandScores(scores, candidates.length);
      return candidates.map(({ id }, at) => {
        const score = scores[at] ?? 0;
        const confidence = calibration === undefined ? score : confidenceOf(calibration, score);
        return { entry: id, confidence, why: `the reranker gives its description ${score.toFixed(2)} for this query` };
      });
    },
  };
}

function documentOf({ name, description }: ShelfEntry): string {
  return `${name}\n${description}`.slice(0, longestDocument).toWellFormed();
}

function demandScores(scores: readonly unknown[], count: number): void {
  const areScores =
    scores.length === count && [...scores].every((score) => typeof score === "number" && score >= 0 && score <= 1);
  if (!areScores) throw new AppError("upstream.invalid", `the reranker did not give ${count} scores from 0 to 1`);
}
