import type { InjectionRecord } from "./injection.ts";
import { injectionWeight, keepableInjection, readInjection } from "./injection-text.ts";
import { isObject, isText, isTextOrNull, isWhole, keepable, parseObject, readList } from "./stored-values.ts";
import { isUsageEvent, type NewBatch, type UsageRecord, writtenRecord } from "./usage.ts";

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
  const { id, node, at, records: uses, injections: given = [] } = parseObject(text);
  if (!isText(id) || !isText(node) || !isWhole(at)) return undefined;
  const [records, injections] = [readList(uses, readRecord), readList(given, readGiven)];
  return records && injections && { id, node, at, records, injections };
}

function readGiven(value: unknown): InjectionRecord | undefined {
  const injection = readInjection(value);
  return injection && keepableInjection(injection);
}

function readRecord(value: unknown): UsageRecord | undefined {
  if (!isObject(value)) return undefined;
  const { at, event, entry, digest, configuration, task, conversation, tool = null } = value;
  if (!isWhole(at) || !isUsageEvent(event) || !isText(entry) || !isText(digest)) return undefined;
  if (!isTextOrNull(configuration) || !isTextOrNull(task)) return undefined;
  if (!isTextOrNull(conversation) || !isTextOrNull(tool)) return undefined;
  return keepableRecord({ at, event, entry, digest, configuration, task, conversation, tool });
}
