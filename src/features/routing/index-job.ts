import { type Digest, sha256 } from "../../core/digest.ts";
import { readDocument } from "../../routing/query.ts";
import type { Document } from "../../routing/index/lexical-index.ts";
import { buildSegment, type Segment } from "../../routing/index/segment.ts";

/** The SKILL.md of a revision as the store holds it, not believed yet. */
export interface RawSkill {
  /** Of the revision: what it is known by. */
  readonly digest: Digest;
  /** What the bytes must hash to. */
  readonly file: Digest;
  readonly bytes: Uint8Array;
}

/** What some skills say, each read out of bytes that were hashed here. */
export interface ReadSkills {
  readonly documents: readonly Document[];
  /** Skills that say themselves that no model may choose them, or have nothing to be chosen by. */
  readonly unroutable: readonly Digest[];
  /** Bytes that are not the approved ones: of no skill that may be used (T17, T31). */
  readonly tampered: readonly Digest[];
}

export function readSkills(raw: readonly RawSkill[]): ReadSkills {
  const documents: Document[] = [];
  const unroutable: Digest[] = [];
  const tampered: Digest[] = [];
  for (const { digest, file, bytes } of raw) {
    const document = sha256(bytes) === file ? readDocument(digest, bytes) : undefined;
    if (document === undefined) tampered.push(digest);
    else if (document === null) unroutable.push(digest);
    else documents.push(document);
  }
  return { documents, unroutable, tampered };
}

/** What was made of some skills. */
export interface Indexed extends Omit<ReadSkills, "documents"> {
  /** Null when none of them is to be routed. */
  readonly segment: Segment | null;
}

/** Hashes, reads and tokenises: most of what an index costs, and made for a thread of its own. */
export function indexSkills(raw: readonly RawSkill[]): Indexed {
  const { documents, ...others } = readSkills(raw);
  return { segment: documents.length === 0 ? null : buildSegment(documents), ...others };
}
