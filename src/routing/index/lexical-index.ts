import type { Digest } from "../../core/digest.ts";
import type { Kind } from "../../skill/manifest.ts";

/** What of a skill is indexed. Identical bytes are one document, wherever they come from. */
export interface Document {
  readonly digest: Digest;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly declared: Declared;
}

/** What a skill says of itself beside its description. */
export interface Declared {
  readonly kind: Kind;
  readonly triggers: readonly string[];
  readonly aliases: readonly string[];
  readonly paths: readonly string[];
}

export interface SearchOptions {
  readonly limit: number;
  /** Asked only for documents that would be among the first. */
  allows(digest: Digest): boolean;
}

/** A document that a search found. */
export interface Found {
  readonly digest: Digest;
  /** What the documents are ordered by; of no meaning beside another query's. */
  readonly score: number;
  /** From 0 to 1, absolute: how often a match that looks like this is right (RT-3). */
  readonly confidence: number;
  /** The query's words that were found, the rarest first, with the fields they stand in. */
  readonly words: readonly { readonly word: string; readonly fields: readonly string[] }[];
}

/** An immutable index over documents. Adding and removing makes another one that shares what is alike. */
export interface LexicalIndex {
  readonly size: number;
  digests(): Iterable<Digest>;
  declaredBy(digest: Digest): Declared | undefined;
  search(text: string, options: SearchOptions): readonly Found[];
  /** How much two documents have in common, from 0 to 1: 1 is the same words in the same order. */
  likeness(a: Digest, b: Digest): number;
}
