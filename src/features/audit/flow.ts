import type { App, Contexts } from "../../app/app.ts";
import type { Inspection } from "../../app/inspect.ts";
import { AppError } from "../../core/error.ts";
import { pages } from "../../core/kept.ts";
import { safeLine } from "../../core/text.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import { checkpointPath } from "../../registry/audit/checkpoint.ts";
import type { AuditWanted } from "../../registry/inquiry.ts";
import { expireUsage } from "../../registry/usage/usage.ts";
import { requireRightToAll } from "../skills/find.ts";
import type { AuditPage } from "./schema.ts";
import type { AuditRecord } from "../../registry/schema.ts";

/** RV-12: the audit is about all configurations, so that one who is limited to some of them does not read it. */
export function demandAudit(opened: Contexts): void {
  requireRightToAll(opened, "the audit concerns all of them");
}

/** The newest first; with `after`, the oldest that come after it. */
export async function listAudit(opened: Contexts, wanted: AuditWanted): Promise<readonly AuditRecord[]> {
  demandAudit(opened);
  return opened.kept.read.findAudit(wanted);
}

/** A part of the chain, the newest first; `next` is the `seq` to go on before. */
export async function pageAudit(opened: Contexts, wanted: Omit<AuditWanted, "after">): Promise<AuditPage> {
  const { limit } = wanted;
  const records = await listAudit(opened, { ...wanted, limit: limit + 1 });
  const items = records.slice(0, limit);
  return { items, next: records.length > limit ? (items.at(-1)?.seq ?? null) : null };
}

/** A day, or a moment of one; without a zone it is universal time. */
const moment = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/;

export function parseMoment(text: string): number {
  const [, zone] = moment.exec(text) ?? [];
  const at = moment.test(text) ? Date.parse(text.includes("T") && zone === undefined ? `${text}Z` : text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  const hint = "write 2026-01-31 or 2026-01-31T18:00:00Z";
  throw new AppError("usage.invalid", `"${safeLine(text, 80)}" is no time; ${hint}`);
}

const page = 1000;

/**
 * Every record as one line of JSON, exactly as it is hashed, and at the end the checkpoint as it was signed: enough to
 * verify the chain without Skillward, its database or its keys (RV-8). `onEnd` is told how many records there were.
 */
export async function* exportAudit(opened: Inspection, onEnd: (records: number) => void): AsyncGenerator<string> {
  demandAudit(opened);
  let records = 0;
  for await (const some of pages(
    (after) => opened.kept.read.auditAfter(after, page),
    0,
    ({ seq }) => seq,
  )) {
    records += some.length;
    yield some.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
  yield `${JSON.stringify({ checkpoint: await signedCheckpoint(opened) })}\n`;
  onEnd(records);
}

/** As it lies outside the database. A new one is never signed here: that would vouch for whatever stands there now. */
async function signedCheckpoint({ kept, world, places }: Inspection): Promise<unknown> {
  if (!kept.hasCheckpoint) return null;
  const bytes = await world.files.read(checkpointPath(places.checkpointFolder, kept.store), 64 * 1024);
  return bytes instanceof Uint8Array ? JSON.parse(Buffer.from(bytes).toString("utf8")) : null;
}

const day = 86_400_000;

/** Retention by `usage.retention-days`: how many batches it took, and what from; null when usage is kept forever. */
export async function expireOldUsage(app: App): Promise<{ before: number; batches: number } | null> {
  const { kept, config, world } = app;
  const permit = requireRight(app, "administer");
  const { retentionDays } = config.usage;
  if (retentionDays === null) return null;
  const at = world.clock.now();
  const before = at - retentionDays * day;
  return { before, batches: await expireUsage(kept, permit, before, at) };
}
