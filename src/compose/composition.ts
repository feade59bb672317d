import type { Digest, FileDigest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import type { Trust } from "../sources/trust.ts";

/** How an entry came to be considered, in the order in which they are taken (CO-1). */
export type Via = "configuration" | "task" | "invoked" | "routed";

/** An entry that may be used by what the registry says. Its bytes have not been looked at yet. */
export interface Chosen {
  readonly entry: EntryId;
  readonly via: Via;
  /** What people approved. */
  readonly digest: Digest;
  readonly trust: Trust;
  /** The tools whose pre-approval people have granted (CO-10). */
  readonly grants: readonly string[];
}

/** What the store holds of a chosen entry at the moment of use, as it was read: nothing of it is believed yet. */
export interface Material {
  /** The list of (path, sha256) of the bundle; empty when there is none. */
  readonly files: readonly FileDigest[];
  /** The bytes of its SKILL.md. */
  readonly skill: Uint8Array | undefined;
  /** What the store itself noticed: a row that is gone or was changed by hand. With any, it is not used. */
  readonly faults: readonly string[];
}

/** A skill whose bytes are the approved ones. Everything here was taken from the very buffer that was hashed (CO-2). */
export interface Verified extends Chosen {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Paths of the bundle. */
  readonly paths: ReadonlySet<string>;
}

/** Why a skill that was considered is not in the block. */
export type DropReason = "unusable" | "below-floor" | "tampered" | "too-large" | "over-budget";

export interface Included {
  readonly entry: EntryId;
  readonly digest: Digest;
  /** As shown. */
  readonly name: string;
  readonly via: Via;
  readonly trust: Trust;
  readonly place: "user" | "system";
  /** Bytes of its section. */
  readonly bytes: number;
  readonly grants: readonly string[];
}

export interface Dropped {
  readonly entry: EntryId;
  /** Null when nothing of it is approved. */
  readonly digest: Digest | null;
  readonly via: Via;
  readonly why: DropReason;
}

/** What goes into a prompt, with what was included, what was dropped and why (CO-7). */
export interface Composition {
  /** For the first user message; empty when there is nothing. */
  readonly block: string;
  /** For a system message of its own, only with `placement: system`; empty otherwise. */
  readonly systemBlock: string;
  /** Of both blocks, framing included. */
  readonly bytes: number;
  /** Counted only where a token budget applies. */
  readonly tokens?: number;
  readonly included: readonly Included[];
  readonly dropped: readonly Dropped[];
  readonly findings: readonly Finding[];
  /** sha256 over both blocks: the same for the same bytes, and for no others. */
  readonly digest: Digest;
}
