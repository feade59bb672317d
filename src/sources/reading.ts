import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { Bundle } from "../skill/bundle.ts";
import type { ObjectId } from "./ref.ts";
import type { ChildState, Progress, RemoteState } from "./schema.ts";

/** Where one skill's bytes came from, and which links of the chain from them to the repository were proven (IN-8, IN-9). */
export interface Provenance {
  /** The name of the host set. */
  readonly hosts: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly repositoryId: number;
  readonly ownerId: number;
  /** `heads/…`, `tags/…`; null: the commit was named by its id. */
  readonly ref: string | null;
  readonly commit: ObjectId;
  /** The skill's folder in the repository, and the id of its tree. */
  readonly path: string;
  readonly tree: ObjectId;
  readonly proof: Proof;
}

interface Proof {
  /** Every file hashed to its blob id, and the trees up to the commit's: always so, or there is nothing to tell of. */
  readonly files: number;
  /** `hashed`: the commit's own bytes have its id. `by API`: they could not be had; the service's word is all there is. */
  readonly commit: "hashed" | "by API";
  /** The branch or tag from which the commit can be reached (T10); null: none is known. */
  readonly reachable: string | null;
}

/** One skill a source was seen to have. */
export interface SeenSkill {
  /** Inside the source, with `/`; empty for the root. */
  readonly path: string;
  /**
   * Without a digest the skill is there, but could not be read as a whole. Null: it is still what it was when it was
   * last read, and none of its bytes were read again.
   */
  readonly bundle: Bundle | null;
  /** Null for a folder of this machine. */
  readonly provenance: Provenance | null;
  /** What is to be said of the commit that it comes from (IN-9, T11). */
  readonly pin: readonly Finding[];
}

/** One whose bytes were read. */
export interface ReadSkill extends SeenSkill {
  readonly bundle: Bundle;
}

/** What is known of a skill from the last time it was read. */
export interface KnownSkill {
  readonly digest: Digest;
  readonly provenance: Provenance | null;
}

/** What reading a source tells at its end. */
export interface ReadingEnd {
  /** Paths below which nothing is known: no entry there may be taken for gone (IN-16, IN-21). */
  readonly unvisited: readonly string[];
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly bytes: number;
  readonly requests: number;
  /** Until when the service allows no more requests, where that stopped the reading; null: it did not (IN-11). */
  readonly limitedUntil: number | null;
  /** Null for a folder of this machine. */
  readonly remote: RemoteEnd | null;
}

/** What a remote source stands on from now on. */
interface RemoteEnd {
  readonly pin: ObjectId;
  readonly repositoryId: number;
  readonly ownerId: number;
  readonly state: RemoteState;
  /** Of a marketplace; null otherwise. */
  readonly children: readonly ChildState[] | null;
}

export type OnProgress = (progress: Progress) => void;
