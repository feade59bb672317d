import { hash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import type { Digest } from "../base/digest.ts";
import type { EntryId } from "../base/ids.ts";
import type { Kept } from "../base/kept.ts";
import { recordEvents } from "./audit.ts";
import type { InjectionRecord } from "./injection.ts";
import { renderInjection } from "./injection-text.ts";
import type { RegistryReads, RegistryWrites } from "./port.ts";

export const usageEvents = ["injected", "dropped", "routed", "denied"] as const;
export type UsageEvent = (typeof usageEvents)[number];

export function isUsageEvent(word: unknown): word is UsageEvent {
  return usageEvents.some((event) => event === word);
}

/** An unknown stored word reads as the one that says most: it may have been in a prompt. */
export function parseUsageEvent(word: string): UsageEvent {
  return isUsageEvent(word) ? word : "injected";
}

/** What happened to one entry in one request. */
export interface UsageRecord {
  readonly at: number;
  readonly event: UsageEvent;
  readonly entry: EntryId;
  readonly digest: Digest;
  readonly configuration: string | null;
  readonly task: string | null;
  readonly conversation: string | null;
  /** Which tool the gate denied (SC-7); null unless the event is `denied`, and where nobody wrote it down yet. */
  readonly tool: string | null;
}

/** A record as it is written and hashed. Without a tool it is what it was before there were any. */
export function writtenRecord({ tool, ...record }: UsageRecord): Omit<UsageRecord, "tool"> & { tool?: string } {
  return tool === null ? record : { ...record, tool };
}

/** Usage is kept by the batch, so that the audit chain stays as short as what it proves (RV-8). */
export interface UsageBatch {
  readonly id: string;
  readonly node: string;
  readonly at: number;
  /** Of its records. */
  readonly count: number;
  readonly hash: Digest;
  /** When its records and injections were taken away; null while they are kept. */
  readonly expiredAt: number | null;
}

/** A batch as a node writes it down, to disk first when the store is away. */
export interface NewBatch {
  readonly id: string;
  readonly node: string;
  readonly at: number;
  readonly records: readonly UsageRecord[];
  /** What requests were given meanwhile (CO-7). */
  readonly injections: readonly InjectionRecord[];
}

/** Over both. Of a batch without injections it is what it was before there were any: such batches stay as they are. */
export function usageHash(records: readonly UsageRecord[], injections: readonly InjectionRecord[]): Digest {
  return keptHash(records, injections.map(renderInjection));
}

/** The same of injections as they are kept: not one byte of their text can change without changing it. */
export function keptHash(records: readonly UsageRecord[], injections: readonly string[]): Digest {
  const uses = records.map(writtenRecord);
  return hash("sha256", canonicalJson(injections.length === 0 ? uses : { records: uses, injections }));
}

/** One transaction, one audit record with the hash of the batch. A batch that is there already is not written twice. */
export async function recordUsage(kept: Kept<RegistryReads, RegistryWrites>, batch: NewBatch): Promise<void> {
  const { id, node, at, records, injections } = batch;
  const count = records.length;
  const digest = usageHash(records, injections);
  const details = { node, count, hash: digest, injections: injections.length || undefined };
  await kept.transaction(async (port) => {
    const isNew = await port.insertUsage({ id, node, at, count, hash: digest, expiredAt: null }, records, injections);
    if (isNew) await recordEvents(port, [{ at, by: `node:${node}`, act: "usage.batch", subject: id, details }]);
  });
}

/** Retention: records and injections go, batches and their hashes stay in the chain. */
export async function expireUsage(
  kept: Kept<RegistryReads, RegistryWrites>,
  before: number,
  by: string,
  at: number,
): Promise<number> {
  return kept.transaction(async (port) => {
    const batches = await port.expireUsage(before, at);
    if (batches > 0)
      await recordEvents(port, [{ at, by, act: "usage.expired", subject: "usage", details: { batches, before } }]);
    return batches;
  });
}
