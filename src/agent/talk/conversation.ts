import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import type { Message } from "../../core/model.ts";

/** A skill that a person invoked: what stands in the history for it, for after a compaction (CO-12). */
export interface Invocation {
  readonly name: string;
  readonly entry: EntryId;
  readonly digest: Digest;
  /** The text of the message, from `Apply Skill` on. */
  readonly text: string;
}

/** A skill whose scope is in force in the conversation. */
export interface HeldSkill {
  readonly entry: EntryId;
  readonly digest: Digest;
  readonly name: string;
}

/** All that is kept of a conversation. */
export interface SavedConversation {
  readonly id: string;
  /** The real path it was held in. */
  readonly workspace: string;
  readonly model: string;
  readonly startedAt: number;
  readonly savedAt: number;
  readonly messages: readonly Message[];
  /** The latest one, if any. */
  readonly invocation: Invocation | null;
  readonly held: readonly HeldSkill[];
}

/** A conversation as it was found. */
export interface LoadedConversation extends SavedConversation {
  /** What of it was lost. */
  readonly findings: readonly Finding[];
}

/** Where conversations are kept: in the person's own folder, never in the workspace. */
export interface ConversationStore {
  /**
   * The whole of it, as one step: afterwards the old or the new is there. Rejects when the disk refuses, and with
   * `record.exists` when somebody else has saved it since this store last saw it.
   */
  save(conversation: SavedConversation): Promise<void>;
  /** Rejects with `record.missing`; with `disk.failed` for one that cannot be read. */
  load(id: string): Promise<LoadedConversation>;
  /** The one that was saved last in this workspace; null: none was. */
  latest(workspace: string): Promise<string | null>;
}
