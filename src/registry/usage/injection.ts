import { canonicalJson } from "../../core/canonical.ts";
import { type Finding, levels } from "../../core/finding.ts";
import { isRecord, isText, isTextOrNull, isWhole, keepable, parseRecord, readList } from "../../core/json/json.ts";
import { storedText } from "../../core/text.ts";
import type { InjectionRecord } from "../schema.ts";

/** An injection as it is kept. The text is what is hashed; the id beside it only helps to find it. */
export interface InjectionRow {
  readonly id: string;
  readonly record: string;
}

type Included = InjectionRecord["included"][number];
type Dropped = InjectionRecord["dropped"][number];

/** Far more than any name, path or message of ours, and little enough that nobody fills the store with one request. */
const longestText = 4000;
/** Within what a key of a table may be, whatever its characters. */
const longestId = 64;

/** An injection as any store can keep it: what a client wrote, the name of a model say, is cut where it is too long. */
export function keepableInjection(given: InjectionRecord): InjectionRecord {
  const { at, generation, bytes, task, included, dropped, findings } = given;
  return {
    id: cut(given.id, longestId),
    at,
    request: cut(given.request),
    by: cut(given.by),
    operation: cut(given.operation),
    configuration: cut(given.configuration),
    task: task === null ? null : cut(task),
    model: cut(given.model),
    generation,
    digest: cut(given.digest),
    bytes,
    included: included.map(keepableIncluded),
    dropped: dropped.map(keepableDropped),
    findings: findings.map(keepableFinding),
  };
}

function keepableIncluded({ entry, digest, name, via, place, bytes }: Included): Included {
  return { entry: cut(entry), digest: cut(digest), name: cut(name), via: cut(via), place: cut(place), bytes };
}

function keepableDropped({ entry, digest, via, why }: Dropped): Dropped {
  return { entry: cut(entry), digest: digest === null ? null : cut(digest), via: cut(via), why: cut(why) };
}

function keepableFinding({ code, level, message, at }: Finding): Finding {
  return { code: cut(code), level, message: cut(message), at: { file: cut(at.file), line: at.line } };
}

function cut(text: string, longest = longestText): string {
  return keepable(text.length > longest ? text.slice(0, longest) : text);
}

/** What an injection counts for where records are bounded: it is as long as what it lists. */
export function injectionWeight({ included, dropped, findings }: InjectionRecord): number {
  return 1 + included.length + dropped.length + findings.length;
}

/** The one text of an injection. */
export function renderInjection(record: InjectionRecord): string {
  return canonicalJson({
    ...record,
    included: record.included.map((each) => ({ ...each })),
    dropped: record.dropped.map((each) => ({ ...each })),
    findings: record.findings.map((each) => ({ ...each, at: { ...each.at } })),
  });
}

/** Undefined for a row that was changed by hand so that it is none any more, or that of another id. */
export function parseInjection({ id, record }: InjectionRow): InjectionRecord | undefined {
  const read = readInjection(parseRecord(storedText(record)) ?? {});
  return read?.id === id ? read : undefined;
}

/** What is not known of it is left out: a later Skillward may say more. */
export function readInjection(value: unknown): InjectionRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { id, at, request, by, operation, configuration, task, model, generation, digest, bytes } = value;
  if (!isText(id) || !isText(request) || !isText(by) || !isText(operation) || !isText(configuration)) return undefined;
  if (!isTextOrNull(task) || !isText(model) || !isText(digest)) return undefined;
  if (!isWhole(at) || !isWhole(generation) || !isWhole(bytes)) return undefined;
  const included = readList(value["included"], readIncluded);
  const dropped = readList(value["dropped"], readDropped);
  const findings = readList(value["findings"], readFinding);
  if (included === undefined || dropped === undefined || findings === undefined) return undefined;
  const asked = { id, at, request, by, operation, configuration, task, model };
  return { ...asked, generation, digest, bytes, included, dropped, findings };
}

function readIncluded(value: unknown): Included | undefined {
  if (!isRecord(value)) return undefined;
  const { entry, digest, name, via, place, bytes } = value;
  if (!isText(entry) || !isText(digest) || !isText(name) || !isText(via) || !isText(place)) return undefined;
  return isWhole(bytes) ? { entry, digest, name, via, place, bytes } : undefined;
}

function readDropped(value: unknown): Dropped | undefined {
  if (!isRecord(value)) return undefined;
  const { entry, digest, via, why } = value;
  if (!isText(entry) || !isTextOrNull(digest) || !isText(via) || !isText(why)) return undefined;
  return { entry, digest, via, why };
}

function readFinding(value: unknown): Finding | undefined {
  if (!isRecord(value) || !isRecord(value["at"])) return undefined;
  const { code, message } = value;
  const { file, line } = value["at"];
  const level = levels.find((known) => known === value["level"]);
  if (!isText(code) || level === undefined || !isText(message) || !isText(file) || !isWhole(line)) return undefined;
  return { code, level, message, at: { file, line } };
}
