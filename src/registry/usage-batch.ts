import { isUsageEvent, type NewBatch, type UsageRecord } from "./usage.ts";

/** What happens to be in a text that no store could keep: half a character, a NUL. The rest of it is kept. */
export function keepableRecord(record: UsageRecord): UsageRecord {
  const { at, event, entry, digest, configuration, task, conversation } = record;
  return {
    at,
    event,
    entry: keepable(entry),
    digest: keepable(digest),
    configuration: configuration === null ? null : keepable(configuration),
    task: task === null ? null : keepable(task),
    conversation: conversation === null ? null : keepable(conversation),
  };
}

function keepable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

export function renderBatch({ id, node, at, records }: NewBatch): string {
  return `${JSON.stringify({ id, node, at, records })}\n`;
}

/** Undefined for anything that was not written by `renderBatch`: a file that was cut off, or made by hand. */
export function parseBatch(text: string): NewBatch | undefined {
  const stored = parseObject(text);
  const { id, node, at, records } = stored;
  if (!isText(id) || !isText(node) || !isTime(at) || !Array.isArray(records)) return undefined;
  const read = records.map(parseRecord).filter((record) => record !== undefined);
  return read.length === records.length ? { id, node, at, records: read } : undefined;
}

function parseRecord(value: unknown): UsageRecord | undefined {
  if (!isObject(value)) return undefined;
  const { at, event, entry, digest, configuration, task, conversation } = value;
  if (!isTime(at) || !isUsageEvent(event) || !isText(entry) || !isText(digest)) return undefined;
  if (!isTextOrNull(configuration) || !isTextOrNull(task) || !isTextOrNull(conversation)) return undefined;
  return keepableRecord({ at, event, entry, digest, configuration, task, conversation });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
