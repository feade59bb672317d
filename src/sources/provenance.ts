import type { ObjectId } from "./ref.ts";

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
