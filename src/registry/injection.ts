import type { Digest } from "../base/digest.ts";
import type { Finding } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";

/** What one request was given, and what was kept from it (CO-7, CO-16). No word of a prompt is in it. */
export interface InjectionRecord {
  /** `inj_` and 24 hex digits. */
  readonly id: string;
  readonly at: number;
  /** The id of the request that it was for. */
  readonly request: string;
  /** Who asked. */
  readonly by: string;
  /** What was asked: `chat`, `responses`, `completions`, `messages`, `complete`, `translate`, `task` … */
  readonly operation: string;
  readonly configuration: string;
  readonly task: string | null;
  readonly model: string;
  readonly generation: number;
  /** Of the composition. */
  readonly digest: Digest;
  readonly bytes: number;
  readonly included: readonly {
    readonly entry: EntryId;
    readonly digest: Digest;
    readonly name: string;
    readonly via: string;
    readonly place: string;
    readonly bytes: number;
  }[];
  readonly dropped: readonly {
    readonly entry: EntryId;
    readonly digest: Digest | null;
    readonly via: string;
    readonly why: string;
  }[];
  readonly findings: readonly Finding[];
}
