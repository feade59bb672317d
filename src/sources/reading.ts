import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { Bundle } from "../skill/bundle.ts";
import type { ChildState } from "./marketplace/children.ts";
import type { Provenance } from "./provenance.ts";
import type { ObjectId } from "./ref.ts";
import type { RemoteState } from "./remote-state.ts";

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

/** How far a reading has come (IN-23). */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly of: "skills" | "files" | "plugins";
  readonly bytes: number;
  /** How many requests the service still allows; null where nobody counts. */
  readonly left: number | null;
}

export type OnProgress = (progress: Progress) => void;
