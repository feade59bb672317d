import type { Inspection } from "../../app/inspect.ts";
import type { Digest } from "../../core/digest.ts";
import type { Look } from "../../registry/registry.ts";
import { RecordedUsage, verifyRows, verifyUsage } from "../../registry/verify-rows.ts";
import { type ChainReport, verifyChain } from "../../registry/verify.ts";
import { Checking, type OnProgress, type PartName } from "./checking.ts";
import {
  allKept,
  checkCheckpoint,
  checkKeys,
  checkLedger,
  checkProviders,
  checkPublished,
  checkRevisions,
  checkSummaries,
  checkTokens,
  checkUsers,
} from "./checks.ts";
import { demandAudit } from "./flow.ts";
import type { VerificationPart, VerificationReport } from "./schema.ts";

export interface VerificationOptions {
  /** The bytes of every revision that is kept, not only of those in use. */
  readonly all?: boolean;
  readonly onProgress?: OnProgress;
}

/** Everything about a store that can be verified (RV-3, RV-8, T17 to T19, T40), from the outside in. */
export async function verifyStore(
  opened: Inspection,
  { all = false, onProgress = () => {} }: VerificationOptions = {},
): Promise<VerificationReport> {
  const { kept, keys } = opened;
  demandAudit(opened);
  const parts: VerificationPart[] = [];
  const check = async <Result>(name: PartName, act: (checking: Checking) => Promise<Result>) => {
    const checking = new Checking(name, onProgress);
    const result = await checking.run(act);
    parts.push(checking.part);
    return result;
  };
  await check("checkpoint", (checking) => checkCheckpoint(kept, checking));
  const chain = await check("audit", (checking) => checkChain(opened, checking));
  await check("ledger", (checking) => checkLedger(kept, keys, checking));
  await check("usage", (checking) => checkUsage(opened, chain, checking));
  await check("revisions", async (checking) => checkRevisions(opened, await revisionsOf(opened, all), checking));
  await check("summaries", async (checking) =>
    checkSummaries(kept.read, keys, await summariesOf(opened, all), checking),
  );
  await check("users", (checking) => checkUsers(kept, keys, checking));
  await check("keys", (checking) => checkKeys(kept, keys, checking));
  await check("providers", (checking) => checkProviders(kept, keys, checking));
  await check("tokens", (checking) => checkTokens(kept, keys, checking));
  await check("published", (checking) => checkPublished(kept, keys, checking));
  await check("entries", (checking) => checkRows(opened, chain, checking));
  return { store: kept.store, passes: parts.every(({ found }) => found === 0), parts };
}

async function checkChain({ kept }: Inspection, checking: Checking): Promise<ChainReport> {
  const chain = await verifyChain(kept.read, kept.store, kept.known().audit, checking.progress);
  checking.checked = chain.records;
  if (chain.fault === null) return chain;
  checking.say(chain.fault);
  checking.note = "what comes after the first fault proves nothing";
  return chain;
}

async function checkUsage({ kept }: Inspection, chain: ChainReport | undefined, checking: Checking): Promise<void> {
  const { batches, expired } = await verifyUsage({
    port: kept.read,
    recorded: chain?.usage ?? new RecordedUsage(),
    upTo: chain?.records ?? 0,
    isWhole: chain?.fault === null,
    say: checking.say,
    onProgress: checking.progress,
  });
  checking.checked = batches;
  if (expired > 0) checking.note = `${expired} of them have expired: their hashes are there, their records are not`;
}

async function checkRows(
  { kept, keys }: Inspection,
  chain: ChainReport | undefined,
  checking: Checking,
): Promise<void> {
  if (chain?.fault !== null) return void (checking.note = "not compared: the audit chain has a fault");
  const { rows: recorded, records: upTo } = chain;
  const { say, progress: onProgress } = checking;
  checking.checked = await verifyRows({ port: kept.read, keys, recorded, upTo, say, onProgress });
}

async function revisionsOf({ kept, registry }: Inspection, all: boolean): Promise<ReadonlySet<Digest>> {
  if (all) return allKept(kept.read);
  const { snapshot } = await registry.look();
  return new Set([...snapshot.usable.values()].map(({ digest }) => digest));
}

async function summariesOf({ kept, registry }: Inspection, all: boolean): Promise<ReadonlySet<Digest>> {
  return all ? allKept(kept.read) : currentOrDecided(await registry.look());
}

/** What the states of all entries are computed from. */
function currentOrDecided({ facts }: Look): ReadonlySet<Digest> {
  const digests = new Set<Digest>();
  for (const { current } of facts.entries.values()) digests.add(current);
  for (const words of facts.ledger.decisions.values()) for (const { digest } of words) digests.add(digest);
  return digests;
}
