import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import type { AuditAct } from "./audit/audit.ts";
import type { UsageEvent } from "./usage/usage.ts";
import type { AuditRecord } from "./schema.ts";

/** Which audit records are wanted. What is not said does not narrow. */
export interface AuditWanted {
  /** How the act begins: `decision.` for all decisions. */
  readonly act?: string | undefined;
  /** One of exactly these acts. */
  readonly acts?: readonly AuditAct[] | undefined;
  /** A part of the subject. */
  readonly subject?: string | undefined;
  readonly by?: string | undefined;
  /** At this time or later. */
  readonly since?: number | undefined;
  /** Only with a `seq` above; then the oldest come first. */
  readonly after?: number | undefined;
  /** Only with a `seq` below. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** What happened to a digest in one conversation of one configuration and task, how often and when (RV-8). */
export interface Use {
  readonly configuration: string | null;
  readonly task: string | null;
  readonly conversation: string | null;
  readonly entry: EntryId;
  readonly event: UsageEvent;
  /** Which tool was denied; every tool is a use of its own. */
  readonly tool: string | null;
  readonly times: number;
  readonly first: number;
  readonly last: number;
}

/** Which usage is counted. */
interface UsageWanted {
  /** At this time or later. */
  readonly since: number;
  readonly before: number;
  /** Only what was used with these; null: all of it. */
  readonly configurations: readonly string[] | null;
}

/** How often something happened to one entry, and when the last of it. */
export interface UsageCount {
  readonly entry: EntryId;
  readonly event: UsageEvent;
  /** Which tool was denied; every tool is counted for itself. */
  readonly tool: string | null;
  readonly times: number;
  readonly last: number;
}

/** What whoever looks into something asks of the store. */
export interface InquiryReads {
  /** The newest first, unless `after` is given. */
  findAudit(wanted: AuditWanted): Promise<readonly AuditRecord[]>;
  /** Digests of revisions that entries have or had, in order. */
  keptDigests(page: { after: Digest; limit: number }): Promise<readonly Digest[]>;
  /** Digests that begin so, of revisions that entries have or had, or that were used; in order. */
  findDigests(start: string, limit: number): Promise<readonly Digest[]>;
  /** Every use of a digest, those of one place together; the latest place first. */
  usesOf(digest: Digest, limit: number): Promise<readonly Use[]>;
  /** In no order. One and the same may be there twice: a word that is not known reads as the one that says most. */
  countUsage(wanted: UsageWanted): Promise<readonly UsageCount[]>;
  /** Batches that are not there, or have expired, and that uses or injections are in all the same. */
  strayUsage(limit: number): Promise<readonly string[]>;
}
