import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { pages } from "../core/pages.ts";
import { safeLine, storedText } from "../core/text.ts";
import { type AuditRecord, parseDetails } from "./audit/audit.ts";
import { parseInjection } from "./usage/injection.ts";
import type { RegistryReads } from "./port.ts";
import { keptHash, type UsageBatch } from "./usage/usage.ts";

/** What the audit chain says about usage: which batches there must be, and how far retention has come. */
export class RecordedUsage {
  readonly batches = new Map<string, { readonly at: number; readonly hash: Digest }>();
  expiredBefore = 0;

  add(record: AuditRecord): void {
    const { at, act, subject } = record;
    if (act === "usage.batch") this.batches.set(subject, { at, hash: String(parseDetails(record)["hash"]) });
    if (act === "usage.expired")
      this.expiredBefore = Math.max(this.expiredBefore, Number(parseDetails(record)["before"]) || 0);
  }
}

export interface UsageCheck {
  readonly port: RegistryReads;
  readonly recorded: RecordedUsage;
  /** The last record that `recorded` has seen. */
  readonly upTo: number;
  /** Whether that is the whole chain: of a broken one, what is not recorded may be recorded behind the fault. */
  readonly isWhole: boolean;
  readonly say: (finding: Finding) => void;
  readonly onProgress: (done: number, total: number) => void;
}

const page = 1000;

/** Every batch against its own row and against the audit record of it; expired ones have no records left (RV-8). */
export async function verifyUsage(check: UsageCheck): Promise<{ batches: number; expired: number }> {
  const { port, recorded, say, onProgress } = check;
  const missing = new Set(recorded.batches.keys());
  const doubtful: UsageBatch[] = [];
  let [batches, expired] = [0, 0];
  for await (const some of pages(
    (after) => port.usageBatches({ after, limit: page }),
    "",
    ({ id }) => id,
  )) {
    for (const batch of some) {
      missing.delete(batch.id);
      if (whyDoubtful(recorded, batch) !== undefined) doubtful.push(batch);
      const fault = await faultOf(check, batch);
      if (fault !== undefined) say(usageFault("usage.changed", fault, batch.id));
      if (batch.expiredAt !== null) expired++;
      onProgress(++batches, recorded.batches.size);
    }
  }
  for (const id of missing) say(usageFault("usage.missing", "was removed, with what it said", id));
  for (const id of await port.strayUsage(page)) say(usageFault("usage.stray", "has uses that it never had", id));
  await sayDoubts(check, doubtful);
  return { batches, expired };
}

async function faultOf({ port, recorded }: UsageCheck, batch: UsageBatch): Promise<string | undefined> {
  const { id, at, hash, expiredAt } = batch;
  const known = recorded.batches.get(id) ?? batch;
  if (known.hash !== hash || known.at !== at) return "is not the one that was recorded";
  if (expiredAt !== null || (await isAsWritten(port, batch))) return undefined;
  return "does not hold what it held";
}

/** An injection is found by its id: that must be the one it says itself. */
async function isAsWritten(port: RegistryReads, { id, hash }: UsageBatch): Promise<boolean> {
  const [records, injections] = await Promise.all([port.usageIn(id), port.injectionsIn(id)]);
  const texts = injections.map(({ record }) => storedText(record));
  return keptHash(records, texts) === hash && injections.every((row) => parseInjection(row) !== undefined);
}

type Doubt = readonly [code: string, what: string];

function whyDoubtful({ batches, expiredBefore }: RecordedUsage, { id, at, expiredAt }: UsageBatch): Doubt | undefined {
  if (!batches.has(id)) return ["usage.unrecorded", "is in no audit record"];
  // Retention takes what is old, and says so: a batch that it cannot have taken was emptied by hand.
  if (expiredAt !== null && at >= expiredBefore)
    return ["usage.hidden", "was emptied, and no retention that took it is recorded"];
  return undefined;
}

/** What came in, or went by retention, while the chain was walked is in a record behind its end. */
async function sayDoubts(check: UsageCheck, doubtful: readonly UsageBatch[]): Promise<void> {
  const { port, recorded, upTo, isWhole, say } = check;
  if (!isWhole || doubtful.length === 0) return;
  for await (const records of pages(
    (after) => port.auditAfter(after, page),
    upTo,
    ({ seq }) => seq,
  ))
    for (const record of records) recorded.add(record);
  for (const batch of doubtful) {
    const doubt = whyDoubtful(recorded, batch);
    if (doubt !== undefined) say(usageFault(...doubt, batch.id));
  }
}

function usageFault(code: string, what: string, batch: string): Finding {
  const message = `the batch of usage ${safeLine(batch)} ${what}`;
  return { code, level: "critical", message, at: { file: `usage:${safeLine(batch)}`, line: 1 } };
}
