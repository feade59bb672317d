import { AppError } from "../core/error.ts";
import type { Kept } from "../core/kept.ts";
import { safeLine } from "../core/text.ts";
import type { Clock, Files, FilesToWrite, Randomness } from "../core/world.ts";
import { type ChainHead, recordChanges, recordEvents } from "./audit/audit.ts";
import { type Checkpoint, CheckpointFile } from "./audit/checkpoint.ts";
import { isSealed, type Keys, sealText } from "./keys.ts";
import { ledgerHead, ledgerHeadAfter } from "./ledger/ledger-head.ts";
import { ledgerGenesis } from "./ledger/ledger.ts";
import type { RegistryReads, RegistryWrites, StoreIdentity } from "./port.ts";

/** What a store is guarded with: everything here lies outside the database. */
interface GuardContext {
  readonly keys: Keys;
  readonly files: Files & FilesToWrite;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly checkpointFolder: string;
  /** Go on with a database that is behind its checkpoint, and record that. */
  readonly acceptRollback: boolean;
  readonly by: string;
}

/** A store that is known to continue what the checkpoint has seen, and leaves a new one after every change (RV-8). */
export interface Guarded<Reads, Writes extends Reads> extends Kept<Reads, Writes> {
  readonly store: string;
  /** The heads as last seen; a lower bound when others write too. */
  known(): Checkpoint;
}

export async function guardStore<Reads extends RegistryReads, Writes extends Reads & RegistryWrites>(
  kept: Kept<Reads, Writes>,
  context: GuardContext,
): Promise<Guarded<Reads, Writes>> {
  const present = await kept.read.storeIdentity();
  const { id: store } = present ?? (await createIdentity(kept, context));
  const file = new CheckpointFile(context.files, context.checkpointFolder, store, context.keys);
  await file.tidy();
  let known = await openCheckpoint(kept, store, file, context);
  if (present === undefined) {
    // It begins with the store, not with the first change after that.
    known = { ...known, audit: await auditHeadOf(kept.read), at: context.clock.now() };
    await file.save(known);
  }
  return {
    store,
    read: kept.read,
    known: () => known,
    async transaction(act) {
      const { result, heads } = await kept.transaction(async (port) => {
        await demandContinuation(port, known);
        await demandUnrotated(port, context.keys);
        const before = await ledgerHead(port, context.keys, known);
        const done = await act(port);
        const ledger = await ledgerHeadAfter(port, context.keys, before);
        return { result: done, heads: { audit: await auditHeadOf(port), ledger } };
      });
      if (heads.audit.seq > known.audit.seq) {
        known = { store, ...heads, at: context.clock.now() };
        await file.save(known);
      }
      return result;
    },
  };
}

/** The key file must be the store's own: with another one every decision would look forged. */
export function demandOwnKeys(identity: StoreIdentity, keys: Keys, keyFile: string): void {
  if (isSealed(keys, sealedIdentity(identity.id), identity.seal)) return;
  const hint = "name the right one with SKILLWARD_KEYS; if it was rotated elsewhere, copy the new one here";
  throw new AppError(
    "keys.unusable",
    `${safeLine(keyFile, 240)} is not the key file this store was made with; ${hint}`,
  );
}

/** The mark by which a store knows its key file: made with the newest secret. */
export function sealIdentity(id: string, keys: Keys): StoreIdentity {
  return { id, seal: sealText(keys, sealedIdentity(id)) };
}

function sealedIdentity(id: string): string {
  return `store ${id}`;
}

/** RV-3: a process that still holds the keys of before a rotation would sign with one that is retired. */
async function demandUnrotated(port: RegistryReads, keys: Keys): Promise<void> {
  const identity = await port.storeIdentity();
  if (identity !== undefined && isSealed(keys, sealedIdentity(identity.id), identity.seal)) return;
  const what = "the key file was rotated since this process has read it; nothing was changed";
  throw new AppError("keys.unusable", `${what}, start it again`);
}

async function createIdentity<Reads extends RegistryReads, Writes extends Reads & RegistryWrites>(
  kept: Kept<Reads, Writes>,
  { keys, random, clock, by }: GuardContext,
): Promise<StoreIdentity> {
  return kept.transaction(async (port) => {
    // Another process may have been first.
    const present = await port.storeIdentity();
    if (present !== undefined) return present;
    const id = Buffer.from(random.bytes(16)).toString("hex");
    const identity = sealIdentity(id, keys);
    await port.setStoreIdentity(identity);
    await recordChanges(port, [{ at: clock.now(), by, act: "store.created", subject: id, details: {} }]);
    return identity;
  });
}

async function openCheckpoint<Reads extends RegistryReads, Writes extends Reads & RegistryWrites>(
  kept: Kept<Reads, Writes>,
  store: string,
  file: CheckpointFile,
  context: GuardContext,
): Promise<Checkpoint> {
  try {
    const known = (await file.load()) ?? beginning(store);
    await demandContinuation(kept.read, known);
    return known;
  } catch (error) {
    const isRollback = error instanceof AppError && error.code === "store.rolled-back";
    if (!isRollback || !context.acceptRollback) throw error;
    return acceptRollback(kept, store, file, context, error.message);
  }
}

/**
 * RV-10: so much further is the generation after a rollback. What it was before is gone, here and on nodes that this one never
 * heard of; a number that comes a second time would mean something else to whoever has kept an answer of the first.
 */
const unseen = 1_000_000_000;

/** From here on the chains go on from where the database stands now; what was lost is recorded. */
async function acceptRollback<Reads extends RegistryReads, Writes extends Reads & RegistryWrites>(
  kept: Kept<Reads, Writes>,
  store: string,
  file: CheckpointFile,
  { keys, clock, by }: GuardContext,
  why: string,
): Promise<Checkpoint> {
  const heads = await kept.transaction(async (port) => {
    const event = { at: clock.now(), by, act: "store.rollback-accepted", subject: store, details: { why } } as const;
    await recordEvents(port, [event]);
    await port.raiseGeneration(unseen);
    return { audit: await auditHeadOf(port), ledger: await ledgerHead(port, keys, beginning(store)) };
  });
  const known = { store, ...heads, at: clock.now() };
  await file.replace(known);
  return known;
}

/** Before anything was seen. */
function beginning(store: string): Checkpoint {
  return { store, audit: { seq: 0, hash: "" }, ledger: { seq: 0, hash: ledgerGenesis(store) }, at: 0 };
}

/** T19: the record that the checkpoint has seen must still be there, as it was. */
export async function demandContinuation(port: RegistryReads, known: Checkpoint): Promise<void> {
  if (known.audit.seq === 0) return;
  const [record] = await port.auditAfter(known.audit.seq - 1, 1);
  if (record?.seq === known.audit.seq && record.hash === known.audit.hash) return;
  const head = await port.auditHead();
  const what =
    head.seq < known.audit.seq
      ? `the database ends at audit record ${head.seq}, but record ${known.audit.seq} was seen before: it was rolled back or cut short`
      : `audit record ${known.audit.seq} is not the one that was seen before: the chain was written anew`;
  const hint = "restore the database, or go on with --accept-rollback (it is recorded)";
  throw new AppError("store.rolled-back", `${what}; ${hint}`);
}

async function auditHeadOf(port: RegistryReads): Promise<ChainHead> {
  const { seq, hash } = await port.auditHead();
  return { seq, hash };
}

/** A store as it stands, for looking only: what opening it for use would refuse is said instead (RV-8). */
export interface Inspected<Reads, Writes extends Reads> extends Guarded<Reads, Writes> {
  /** Whether a checkpoint outside the database is known that this key file has signed. */
  readonly hasCheckpoint: boolean;
  /** Why it would not be opened for use; null: it would. */
  readonly refusal: string | null;
}

interface InspectContext {
  readonly keys: Keys;
  readonly files: Files & FilesToWrite;
  readonly checkpointFolder: string;
}

/** Guarded by the same checkpoint, without its refusal; and since nothing vouches for it, nothing can be written. */
export async function inspectStore<Reads extends RegistryReads, Writes extends Reads & RegistryWrites>(
  read: Reads,
  { id: store }: StoreIdentity,
  { keys, files, checkpointFolder }: InspectContext,
): Promise<Inspected<Reads, Writes>> {
  const file = new CheckpointFile(files, checkpointFolder, store, keys);
  const { value: seen, refusal: unreadable } = await orRefusal(() => file.load());
  const known = seen ?? beginning(store);
  const { refusal: behind } = await orRefusal(() => demandContinuation(read, known));
  return {
    store,
    read,
    known: () => known,
    hasCheckpoint: seen !== undefined,
    refusal: unreadable ?? behind,
    transaction: async () => {
      throw new AppError("store.failed", "the store is open for looking only; nothing was changed");
    },
  };
}

async function orRefusal<Value>(act: () => Promise<Value>): Promise<{ value?: Value; refusal: string | null }> {
  try {
    return { value: await act(), refusal: null };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}
