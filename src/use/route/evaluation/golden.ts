import type { EntryId } from "../../../base/ids.ts";

/** What should come of a query (RT-8). */
export type Wanted =
  /** One of these is right, whichever. */
  | { readonly is: "one-of"; readonly entries: ReadonlySet<EntryId> }
  /** No skill fits: any match is wrong. */
  | { readonly is: "none" }
  /** These are wrong as the first match; of others nothing is said. */
  | { readonly is: "not"; readonly entries: ReadonlySet<EntryId> };

/** A query whose answer is known. */
export interface GoldenQuery {
  readonly query: string;
  readonly wanted: Wanted;
  readonly kind: string | null;
  readonly note: string | null;
  /** Where it stands: `golden.jsonl:12`. */
  readonly at: string;
}
