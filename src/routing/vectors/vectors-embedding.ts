import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Kept } from "../../core/kept.ts";
import type { Embedder } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import type { Document } from "../index/lexical-index.ts";
import type { RouteReads, RouteWrites } from "../port.ts";
import { decodeDirection, directionOf, encodeDirection } from "./vectors-block.ts";

/** What of a skill is made a vector of. */
type Text = Pick<Document, "digest" | "name" | "description" | "body">;

/** The skills to make vectors of. T31: approved ones and no others, for what they say goes to the model service. */
interface Documents {
  readonly digests: readonly Digest[];
  /** Asked only for those that have no vector yet. */
  read(digests: readonly Digest[]): Promise<readonly Text[]>;
}

interface Embedding {
  readonly kept: Kept<Pick<RouteReads, "findVectors">, Pick<RouteWrites, "findVectors" | "putVectors">>;
  readonly embedder: Embedder;
  /** What the vectors are kept under: those of another model are not comparable. */
  readonly model: string;
  readonly documents: Documents;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, all: number) => void;
}

const lookedUpAtOnce = 1000;
const askedAtOnce = 64;
/** About what small embedding models read at all (512 tokens): more would be cut off there, or refused. */
const longestText = 2000;

/** What came of a run. */
interface Embedded {
  readonly made: number;
  /** Texts that the service does not take, or answers with no vector. They are asked for again by the next run. */
  readonly refused: number;
}

/**
 * Makes the vectors that are missing, batch by batch, and keeps each answer before the next is asked for: whatever ends
 * it, the next run goes on from there. One text that is refused keeps no other from its vector.
 */
export async function embedMissing(embedding: Embedding): Promise<Embedded> {
  const { kept, model, documents, onProgress } = embedding;
  const digests = [...new Set(documents.digests)];
  const making = new Making(embedding);
  let done = 0;
  for (const some of portions(digests, lookedUpAtOnce)) {
    const rows = await kept.read.findVectors(model, some);
    const known = new Map([...rows].map(([digest, row]) => [digest, decodeDirection(row)]));
    making.dimensions ||= [...known.values()].find((vector) => vector !== undefined)?.length ?? 0;
    const missing = some.filter((digest) => known.get(digest) === undefined);
    done += some.length - missing.length;
    for (const batch of portions(missing, askedAtOnce)) {
      const asked = new Set(batch);
      // Each once, and nothing that was not asked for: what is sent is what the caller named.
      const texts = (await documents.read(batch)).filter(({ digest }) => asked.delete(digest));
      if (texts.length > 0) await making.make(texts);
      done += batch.length;
      onProgress?.(done, digests.length);
    }
  }
  return { made: making.made, refused: making.refused };
}

/** Sent when a batch was refused: whoever takes this is well, and refused what was in the batch. */
const plainWord = "skill";

class Making {
  made = 0;
  refused = 0;
  /** How many numbers each vector has; 0 while there is none. */
  dimensions = 0;
  readonly #embedding: Embedding;

  constructor(embedding: Embedding) {
    this.#embedding = embedding;
  }

  /** Throws when the service refuses whatever it is asked, or cannot be asked. */
  async make(texts: readonly Text[]): Promise<void> {
    const refusal = await this.#keep(texts);
    if (refusal === undefined) return;
    if ((await this.#ask([plainWord])) instanceof AppError) throw refusal;
    await this.#keepHalves(texts);
  }

  /** The half with the text that is refused gets smaller until it is that text. */
  async #keepHalves(texts: readonly Text[]): Promise<void> {
    if (texts.length === 1) {
      this.refused++;
      return;
    }
    for (const half of portions(texts, Math.ceil(texts.length / 2)))
      if ((await this.#keep(half)) !== undefined) await this.#keepHalves(half);
  }

  async #keep(texts: readonly Text[]): Promise<AppError | undefined> {
    const { kept, model } = this.#embedding;
    const directions = await this.#ask(
      texts.map(({ name, description, body }) => textToEmbed(`${name}\n${description}\n\n${body}`)),
    );
    if (directions instanceof AppError) return directions;
    const rows = texts.map(({ digest }, at) => ({ digest, vector: encodeDirection(directions[at] ?? noDirection) }));
    await kept.transaction((port) => port.putVectors(model, rows));
    this.made += rows.length;
    return undefined;
  }

  /** An error that is returned is about these texts; one that is thrown is about the service. */
  async #ask(texts: readonly string[]): Promise<readonly Float32Array[] | AppError> {
    const { embedder, signal } = this.#embedding;
    signal?.throwIfAborted();
    try {
      const directions = directionsOf(await embedder.embed(texts, signal), texts.length, this.dimensions);
      this.dimensions ||= directions[0]?.length ?? 0;
      return directions;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AppError && error.code === "upstream.invalid") return error;
      throw error;
    }
  }
}

const noDirection = new Float32Array();

function directionsOf(answered: readonly unknown[], texts: number, dimensions: number): readonly Float32Array[] {
  if (answered.length !== texts) throw refused(`it answered with ${answered.length} vectors for ${texts} texts`);
  const directions = answered.map(demandDirection);
  const expected = dimensions || directions[0]?.length;
  const other = directions.find(({ length }) => length !== expected);
  if (other !== undefined)
    throw refused(`it answered with a vector of ${other.length} numbers where the others have ${expected}`);
  return directions;
}

/** One question has one form, whichever side it is on: what is kept and what is asked are cut alike. */
export function textToEmbed(text: string): string {
  return text.slice(0, longestText).toWellFormed();
}

function demandDirection(answered: unknown): Float32Array {
  const direction = directionOf(answered);
  if (direction === undefined) throw refused("it answered with something that is no vector");
  return direction;
}

function refused(why: string): AppError {
  const hint = "nothing of this answer was kept; check that the provider and model make embeddings";
  return new AppError("upstream.invalid", `the model service cannot be used for embeddings: ${safeLine(why)}; ${hint}`);
}

function* portions<Item>(items: readonly Item[], most: number): Iterable<readonly Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}
