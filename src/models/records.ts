import { z } from "zod";
import { canonicalJson, type Plain } from "../core/canonical.ts";
import { type Digest, sha256 } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { parseRecord } from "../core/json/json.ts";
import { safeName } from "../core/text.ts";
import { type AuditAct, type AuditWrites, recordChanges } from "../registry/audit/audit.ts";
import type { LlmOperator } from "./context.ts";
import type { LlmKind, LlmReads, LlmRecord, LlmWrites, TargetKey } from "./port.ts";
import { recordId } from "./schema.ts";
import { demandValid } from "./settings.ts";

/** A record as the audit shows it: no secret, and of a prompt only what identifies it. */
export type Shown = { readonly [field: string]: Plain };

export type Writes = LlmWrites & AuditWrites;

export async function demandRecord(port: LlmReads, kind: LlmKind, id: string): Promise<LlmRecord> {
  const found = await port.findLlmRecord(kind, id);
  if (found !== undefined) return found;
  throw new AppError("record.missing", `there is no ${kind} "${safeName(id)}"; check its name, or add it first`);
}

/** A new record's id: well formed, and nobody's yet. */
export async function demandFreeId(port: LlmReads, kind: LlmKind, id: string): Promise<void> {
  demandValid(recordId, "id", id);
  if ((await port.findLlmRecord(kind, id)) !== undefined)
    throw new AppError("record.exists", `there is a ${kind} "${id}" already; change that one, or take another name`);
}

/** The fields of a stored record. Who edited it into something that cannot be read is told which one it is. */
export function readRecord<Schema extends z.ZodType>(
  kind: LlmKind,
  { id, record }: LlmRecord,
  schema: Schema,
): z.infer<Schema> {
  const { success, data } = schema.safeParse(parseRecord(record));
  if (success) return data;
  throw new AppError("store.failed", `the record of ${kind} "${safeName(id)}" is damaged; remove it and add it again`);
}

/** RV-8: what was done to a record of this room, in the transaction that does it. */
export async function recordChange(
  { clock, permit }: LlmOperator,
  port: AuditWrites,
  [act, subject]: readonly [act: AuditAct, subject: string],
  details: { readonly [key: string]: Plain | undefined },
): Promise<void> {
  await recordChanges(port, [{ at: clock.now(), by: permit.person.name, act, subject, details }]);
}

/** The fields that are not alike, before and after; undefined when all are. */
export function difference(before: Shown, after: Shown): { before: Shown; after: Shown } | undefined {
  const changed = Object.keys(after).filter((field) => textOf(before[field]) !== textOf(after[field]));
  const only = (shown: Shown): Shown => Object.fromEntries(changed.map((field) => [field, shown[field] ?? null]));
  return changed.length === 0 ? undefined : { before: only(before), after: only(after) };
}

function textOf(value: Plain | undefined): string {
  return canonicalJson(value ?? null);
}

/** A prompt in the audit: enough to tell it from another, and not one word of it. */
export function shownPrompt(text: string): { sha256: Digest; bytes: number } {
  const bytes = Buffer.from(text);
  return { sha256: sha256(bytes), bytes: bytes.length };
}

interface Removal {
  readonly kind: LlmKind;
  readonly id: string;
  /** Which records may name it, and in which field. */
  readonly namedBy?: readonly [kind: LlmKind, field: string];
  /** What carries its skills. */
  readonly target?: TargetKey;
}

/** Removes what nothing names, with what is attached to it: whoever takes the id next starts without skills. */
export async function removeRecord(context: LlmOperator, port: Writes, removal: Removal): Promise<void> {
  const { kind, id, target } = removal;
  await refuseNamed(port, removal);
  const detached = target === undefined ? undefined : await port.listAttached(target);
  if (target !== undefined) await port.putAttached(target, []);
  await port.deleteLlmRecord(kind, id);
  await recordChange(context, port, [`${kind}.removed`, id], { detached });
}

async function refuseNamed(port: LlmReads, { kind, id, namedBy }: Removal): Promise<void> {
  if (namedBy === undefined) return;
  const [users, field] = namedBy;
  const records = await port.listLlmRecords(users);
  const using = records
    .filter((user) => readRecord(users, user, z.record(z.string(), z.unknown()))[field] === id)
    .map((user) => user.id);
  if (using.length === 0) return;
  const names = using.slice(0, 10).join(", ") + (using.length > 10 ? ` and ${using.length - 10} more` : "");
  throw new AppError("record.in-use", `${kind} "${id}" is used by ${users} ${names}; change or remove these first`);
}
