import { AppError } from "../../core/error.ts";
import type { Embedder } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import type { Evidence, Link } from "../link.ts";
import type { ShelfEntry } from "../shelf.ts";
import { directionOf } from "../vectors/vectors-block.ts";
import { textToEmbed } from "../vectors/vectors-embedding.ts";
import type { Vectors } from "../vectors/vectors.ts";
import { type Calibration, confidenceOf, withoutTheirWords } from "./calibration.ts";
import { copiesOf, isAllowed } from "./exact.ts";

interface SemanticOptions {
  /** Of the model that made the vectors. */
  readonly embedder: Embedder;
  readonly vectors: Vectors;
  readonly timeBox: number;
  /**
   * From the cosine to a confidence. Models differ in what they call close: some put unrelated texts at 0.1, others at
   * 0.7. The default fits those that spread widely; for another model, set it so that pairs which are right half of the
   * time are at `middle`.
   */
  readonly calibration?: Calibration;
}

/** Closeness alone is no proof: the most of it stays below what a name or a trigger says. */
const usual: Calibration = { middle: 0.5, steepness: 12, most: 0.9 };
const mostFound = 20;

/** RT-2: skills that mean what the query means, in whatever words. What has no vector yet is not found. */
export function semanticLink({ embedder, vectors, timeBox, calibration = usual }: SemanticOptions): Link {
  return {
    name: "semantic",
    role: "finds",
    timeBox,
    async find(asked) {
      const { query, shelf, signal } = asked;
      // Loading goes on when nobody waits any more: the next question needs it as well.
      const block = await unlessEnded(vectors.of(shelf), signal);
      if (block.size === 0) return [];
      const direction = await directionFor(embedder, query.text, signal);
      if (direction.length !== block.dimensions)
        throw unfit(`has ${direction.length} numbers where those of the skills have ${block.dimensions}`);
      const allows = (digest: string) => isAllowed(asked, digest);
      const near = await block.nearest(direction, { limit: mostFound, allows, signal });
      return near.flatMap(({ digest, similarity }) =>
        copiesOf(asked, digest).map((entry) => evidenceOf(entry, similarity, calibration)),
      );
    },
  };
}

async function directionFor(embedder: Embedder, text: string, signal: AbortSignal): Promise<Float32Array> {
  const answered: unknown = await withoutTheirWords(embedder.embed([textToEmbed(text)], signal));
  const direction = Array.isArray(answered) && answered.length === 1 ? directionOf(answered[0]) : undefined;
  if (direction === undefined) throw unfit("is none");
  return direction;
}

function unfit(why: string): AppError {
  return new AppError("upstream.invalid", `the query's vector ${why}; is it the model that made the others?`);
}

function evidenceOf({ id, name, description }: ShelfEntry, similarity: number, calibration: Calibration): Evidence {
  return {
    entry: id,
    confidence: confidenceOf(calibration, similarity),
    why: `close in meaning (${similarity.toFixed(2)}) to "${safeLine(`${name}: ${description}`)}"`,
  };
}

async function unlessEnded<Value>(awaited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const waiting = new AbortController();
  const ended = new Promise<never>((_, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason), { signal: waiting.signal });
  });
  try {
    return await Promise.race([awaited, ended]);
  } finally {
    waiting.abort();
  }
}
