import type { Contexts } from "../../app/app.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { pages } from "../../core/kept.ts";
import { safeLine, safeName } from "../../core/text.ts";
import { parseProvider } from "../../models/provider.ts";
import { RecordedProviders } from "../../models/recorded-providers.ts";
import { demandOwnSecret, foreignSecret } from "../../models/secrets.ts";
import { AccountHistory } from "../../registry/accounts/account-history.ts";
import { isBelievedKey, isBelievedUser, tamperedKey, tamperedUser, withWords } from "../../registry/accounts/seal.ts";
import { parseDetails } from "../../registry/audit/audit.ts";
import { readLedger } from "../../registry/facts.ts";
import type { Inspected } from "../../registry/guard.ts";
import { isSigned, type Keys } from "../../registry/keys.ts";
import type { LedgerRow } from "../../registry/ledger/ledger.ts";
import type { RegistryReads } from "../../registry/port.ts";
import { readSummary } from "../../registry/revision.ts";
import { verifyTokens } from "../../registry/sync/remote.ts";
import type { StoreReads, StoreWrites } from "../../store/store.ts";
import { readPublished, tamperedRow } from "../../workspace/published.ts";
import type { Checking } from "./checking.ts";

type Kept = Inspected<StoreReads, StoreWrites>;

/** So many rows are asked for at once. */
const some = 500;

/** RV-8, T19: without one, a database that was rolled back as a whole looks like one that never got further. */
export async function checkCheckpoint({ hasCheckpoint, refusal, store }: Kept, checking: Checking): Promise<void> {
  checking.checked = hasCheckpoint ? 1 : 0;
  const at = { file: `checkpoints/${store}.json`, line: 1 };
  if (refusal !== null) checking.say({ code: "checkpoint.refused", level: "critical", message: refusal, at });
  else if (!hasCheckpoint)
    checking.say({
      code: "checkpoint.missing",
      level: "medium",
      message:
        "there is none for this store: nothing outside the database says how far it was; the next change makes one",
      at,
    });
}

/** RV-3, T18. The chain proves its statements by one signature; here each one is also verified by itself. */
export async function checkLedger(kept: Kept, keys: Keys, checking: Checking): Promise<void> {
  const { head, findings } = await readLedger({ port: kept.read, keys, known: kept.known() });
  for (const finding of findings) checking.say(finding);
  const lastBy = await lastWords(kept);
  const rows = (after: number) => kept.read.ledgerAfter(after, some);
  for await (const page of pages(rows, 0, ({ place }) => place)) {
    for (const row of page) {
      if (!isSigned(keys, row.payload, row))
        checking.say(wordFault("ledger.signature", "has a signature that is wrong", row));
      if (row.seq > (lastBy.get(row.key) ?? row.seq))
        checking.say(wordFault("ledger.retired-key", "is signed with a key that was retired before", row));
    }
    checking.progress((checking.checked += page.length), Math.max(head.seq, checking.checked));
  }
}

/** By key: the last word there was when it was retired. Whoever kept a copy of it could sign another. */
async function lastWords({ read }: Kept): Promise<ReadonlyMap<string, number>> {
  const rotations = await read.findAudit({ act: "keys.rotated", after: 0, limit: 10_000 });
  const last = new Map<string, number>();
  for (const { retired, words } of rotations.map(parseDetails))
    for (const key of Array.isArray(retired) ? retired : []) if (!last.has(key)) last.set(String(key), Number(words));
  return last;
}

function wordFault(code: string, what: string, { seq, subject }: LedgerRow): Finding {
  const message = `the signed word ${seq} about "${safeLine(subject)}" ${what}`;
  return { code, level: "critical", message, at: { file: "ledger", line: Math.max(1, seq) } };
}

/** Invariant 1: every byte of every one of them is read and hashed. */
export async function checkRevisions(
  { registry }: Contexts,
  digests: ReadonlySet<Digest>,
  checking: Checking,
): Promise<void> {
  for (const digest of digests) {
    for (const finding of (await registry.open(digest)).findings) checking.say(finding);
    checking.progress(++checking.checked, digests.size);
  }
}

/** T17: what lists and catalogues show of a revision is what was derived from its bytes when they came in. */
export async function checkSummaries(
  port: RegistryReads,
  keys: Keys,
  digests: ReadonlySet<Digest>,
  checking: Checking,
): Promise<void> {
  const all = [...digests];
  for (let at = 0; at < all.length; at += some) {
    const asked = all.slice(at, at + some);
    const rows = new Map((await port.findRevisions(asked)).map((row) => [row.digest, row]));
    for (const digest of asked) {
      const row = rows.get(digest);
      if (row === undefined) checking.say(revisionFault("revision.missing", digest, "it is not kept any more"));
      else if (readSummary(row, keys) === undefined)
        checking.say(revisionFault("revision.summary", digest, "its summary was changed by hand"));
    }
    checking.progress((checking.checked += asked.length), all.length);
  }
}

function revisionFault(code: string, digest: Digest, what: string): Finding {
  const message = `revision ${digest.slice(0, 12)}: ${what}; sync its source with repair switched on`;
  return { code, level: "critical", message, at: { file: `revision:${digest}`, line: 1 } };
}

export async function allKept(port: RegistryReads): Promise<ReadonlySet<Digest>> {
  const digests = new Set<Digest>();
  const read = (after: Digest) => port.keptDigests({ after, limit: 5000 });
  for await (const found of pages(read, "", (digest) => digest)) for (const digest of found) digests.add(digest);
  return digests;
}

/** T18: rows that grant something: as somebody with the key file has left them, and nobody has put back. */
export async function checkUsers(kept: Kept, keys: Keys, checking: Checking): Promise<void> {
  const believing = { kept, keys, history: new AccountHistory() };
  const users = await withWords(believing, kept.read, () => kept.read.listUsers());
  checking.checked = users.length;
  for (const user of users) if (!isBelievedUser(believing, user)) checking.say(tamperedUser(user));
}

export async function checkKeys(kept: Kept, keys: Keys, checking: Checking): Promise<void> {
  const believing = { kept, keys, history: new AccountHistory() };
  const all = await withWords(believing, kept.read, () => kept.read.listKeys());
  checking.checked = all.length;
  for (const key of all) if (!isBelievedKey(believing, key)) checking.say(tamperedKey(key));
}

/** T40, T43: each secret opens for the provider, version and origin it was meant for; and each is what was said of it last. */
export async function checkProviders({ read }: Kept, keys: Keys, checking: Checking): Promise<void> {
  const recorded = new RecordedProviders();
  let [last, rows] = [await recorded.follow(read), await read.listLlmRecords("provider")];
  for (let now = await recorded.follow(read); now !== last; now = await recorded.follow(read))
    [last, rows] = [now, await read.listLlmRecords("provider")];
  for (const stored of rows) {
    checking.checked++;
    try {
      demandOwnSecret(keys, stored);
      if (!recorded.fits(parseProvider(stored))) checking.say(foreignSecret(stored.id, putBack(stored.id)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      checking.say(foreignSecret(stored.id, error.message));
    }
  }
}

function putBack(id: string): string {
  return `the row of provider "${safeName(id)}" is not what was recorded last; an older one was put back by hand`;
}

/** T40: each token opens for the source, the GitHub and the address it was meant for, and for no other. */
export async function checkTokens({ read }: Kept, keys: Keys, checking: Checking): Promise<void> {
  const { count, findings } = await verifyTokens(read, keys);
  checking.checked = count + findings.length;
  for (const finding of findings) checking.say(finding);
}

/** T18: what is published was switched on by somebody with the right to, and not switched off since (SV-6). */
export async function checkPublished({ read }: Kept, keys: Keys, checking: Checking): Promise<void> {
  const { rows, tampered } = await readPublished(read, keys);
  checking.checked = rows.length + tampered.length;
  for (const row of tampered) checking.say(tamperedRow(row));
}
