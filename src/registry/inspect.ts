import { AppError } from "../core/error.ts";
import type { Files, FilesToWrite } from "../core/world.ts";
import { CheckpointFile } from "./audit/checkpoint.ts";
import { beginning, demandContinuation, type Guarded } from "./guard.ts";
import type { Keys } from "./keys.ts";
import type { RegistryReads, RegistryWrites, StoreIdentity } from "./port.ts";

/** A store as it stands, for looking only: what opening it for use would refuse is said instead (RV-8). */
export interface Inspected<Reads, Writes extends Reads> extends Guarded<Reads, Writes> {
  /** Whether a checkpoint outside the database is known that this key file has signed. */
  readonly hasCheckpoint: boolean;
  /** Why it would not be opened for use; null: it would. */
  readonly refusal: string | null;
}

export interface InspectContext {
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
