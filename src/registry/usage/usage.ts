import { hash } from "node:crypto";
import { canonicalJson } from "../../core/canonical.ts";
import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { isRecord, isText, isTextOrNull, isWhole, keepable, parseRecord, readList } from "../../core/json/json.ts";
import type { Kept } from "../../core/kept.ts";
import type { Permit } from "../accounts/permit.ts";
import { recordEvents } from "../audit/audit.ts";
import type { RegistryReads, RegistryWrites } from "../port.ts";
import { injectionWeight, keepableInjection, readInjection, renderInjection } from "./injection.ts";
import type { InjectionRecord } from "../schema.ts";

export const usageEvents = ["injected", "dropped", "routed", "denied"] as const;
export type UsageEvent = (typeof usageEvents)[number];

function isUsageEvent(word: unknown): word is UsageEvent {
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
function writtenRecord({ tool, ...record }: UsageRecord): Omit<UsageRecord, "tool"> & { tool?: string } {
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
  { person: { name: by } }: Permit<"administer">,
  before: number,
  at: number,
): Promise<number> {
  return kept.transaction(async (port) => {
    const batches = await port.expireUsage(before, at);
    if (batches > 0)
      await recordEvents(port, [{ at, by, act: "usage.expired", subject: "usage", details: { batches, before } }]);
    return batches;
  });
}

/** As long as the name of a tool can be. What a model calls instead may be endless, and is cut. */
const longestTool = 128;

/** A record as any store can keep it. */
export function keepableRecord(record: UsageRecord): UsageRecord {
  const { at, event, entry, digest, configuration, task, conversation, tool } = record;
  return {
    at,
    event,
    entry: keepable(entry),
    digest: keepable(digest),
    configuration: configuration === null ? null : keepable(configuration),
    task: task === null ? null : keepable(task),
    conversation: conversation === null ? null : keepable(conversation),
    tool: tool === null ? null : keepable(tool.slice(0, longestTool)),
  };
}

/** What a batch counts for where batches are bounded. */
export function batchWeight({ records, injections }: NewBatch): number {
  return injections.reduce((sum, injection) => sum + injectionWeight(injection), records.length);
}

export function renderBatch({ id, node, at, records, injections }: NewBatch): string {
  const given = injections.length === 0 ? {} : { injections };
  return `${JSON.stringify({ id, node, at, records: records.map(writtenRecord), ...given })}\n`;
}

/** Undefined for anything that was not written by `renderBatch`: a file that was cut off, or made by hand. */
export function parseBatch(text: string): NewBatch | undefined {
  const { id, node, at, records: uses, injections: given = [] } = parseRecord(text) ?? {};
  if (!isText(id) || !isText(node) || !isWhole(at)) return undefined;
  const [records, injections] = [readList(uses, readRecord), readList(given, readGiven)];
  return records && injections && { id, node, at, records, injections };
}

function readGiven(value: unknown): InjectionRecord | undefined {
  const injection = readInjection(value);
  return injection && keepableInjection(injection);
}

function readRecord(value: unknown): UsageRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { at, event, entry, digest, configuration, task, conversation, tool = null } = value;
  if (!isWhole(at) || !isUsageEvent(event) || !isText(entry) || !isText(digest)) return undefined;
  if (!isTextOrNull(configuration) || !isTextOrNull(task)) return undefined;
  if (!isTextOrNull(conversation) || !isTextOrNull(tool)) return undefined;
  return keepableRecord({ at, event, entry, digest, configuration, task, conversation, tool });
}
