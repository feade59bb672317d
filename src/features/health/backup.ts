import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { demand } from "../../registry/accounts/roles.ts";
import { checkpointPath } from "../../registry/audit/checkpoint.ts";
import type { App } from "../../app/app.ts";
import { isThere } from "../../app/files/is-there.ts";

/** A copy of what is kept, from which it can be restored together with the key file. */
export interface Backup {
  readonly folder: string;
  readonly store: string;
  /** The copy of the store; null: with PostgreSQL its own tools make it, after this. */
  readonly database: string | null;
  /** What a restored store has to continue. */
  readonly checkpoint: string;
  /** The last audit record that is surely in it. */
  readonly seq: number;
  /** Never in a backup: without it nothing of it counts, and with it everything in it could be changed. */
  readonly keyFile: string;
}

const mostBytes = 64 * 1024;

/**
 * RV-8: first the checkpoint, then the store. What is written in between is in the store alone, which is then ahead of
 * its checkpoint; the other way round it would be behind, and refused.
 */
export async function backUp(app: App, folder: string): Promise<Backup> {
  const { person, review, kept, places, storePlace, world } = app;
  demand(person, "administer", review.policy);
  if (await isThere(world.files, folder))
    throw new AppError("record.exists", `there is something already: ${safeLine(folder, 240)}; name a new folder`);
  // A change of nothing, so that the checkpoint here is of now, whoever wrote last.
  await kept.transaction(async () => {});
  const checkpoint = checkpointPath(posix.join(folder, "checkpoints"), kept.store);
  const seen = await world.files.read(checkpointPath(places.checkpointFolder, kept.store), mostBytes);
  if (!(seen instanceof Uint8Array)) throw new AppError("disk.failed", "the checkpoint is no file of ours");
  // Under another name until it is whole: what lies there under its own can be restored.
  const staging = `${folder}.${Buffer.from(world.random.bytes(4)).toString("hex")}.tmp`;
  const staged = (path: string) => posix.join(staging, posix.relative(folder, path));
  const database = storePlace.engine === "sqlite" ? posix.join(folder, "skillward.db") : null;
  try {
    await world.files.makePrivateFolder(staging);
    await world.files.writePrivate(staged(checkpoint), seen);
    if (storePlace.engine === "sqlite" && database !== null) {
      const { copySqlite } = await import("../../store/sqlite/copy.ts");
      await copySqlite(storePlace.file, staged(database), { timer: world.timer });
    }
    await world.folders.move(staging, folder);
  } catch (error) {
    await world.folders.remove(staging);
    throw error;
  }
  const { audit } = kept.known();
  return { folder, store: kept.store, database, checkpoint, seq: audit.seq, keyFile: places.keyFile };
}
