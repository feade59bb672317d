import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import { demandOwnKeys } from "../registry/guard.ts";
import { type Inspected, inspectStore } from "../registry/inspect.ts";
import { loadKeys } from "../registry/keys.ts";
import type { InspectedStore } from "../store/inspected.ts";
import type { StoreReads, StoreWrites } from "../store/store.ts";
import { type AppOptions, type Contexts, findStore, type Opening, wire } from "./app.ts";
import type { Environment } from "./config.ts";
import { isThere } from "./is-there.ts";
import { loadKeyFile } from "./key-file.ts";
import type { World } from "./world.ts";

/** Skillward opened for looking only: also on a store that is refused for use, which is when one needs it most. */
export interface Inspection extends Contexts {
  readonly kept: Inspected<StoreReads, StoreWrites>;
  readonly store: Pick<InspectedStore, "version" | "bytes">;
  close(): Promise<void>;
}

export async function inspectApp(
  world: World,
  environment: Environment,
  options: AppOptions = {},
): Promise<Inspection> {
  return inspect(await findStore(world, environment, options));
}

/** Makes nothing: no folder, no store, no key file, no checkpoint. */
export async function inspect(opening: Opening): Promise<Inspection> {
  const { world, places } = opening;
  const store = await openToLook(opening);
  try {
    const identity = await store.read.storeIdentity();
    if (identity === undefined) throw nothingThere(opening);
    const keys = loadKeys(await loadKeyFile(world.files, places.keyFile));
    demandOwnKeys(identity, keys, places.keyFile);
    const { checkpointFolder } = places;
    const kept = await inspectStore<StoreReads, StoreWrites>(store.read, identity, {
      keys,
      files: world.files,
      checkpointFolder,
    });
    return { ...(await wire(opening, keys, kept)), kept, store, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openToLook(opening: Opening): Promise<InspectedStore> {
  const { world, storePlace } = opening;
  if (storePlace.engine === "postgres")
    return (await import("../store/postgres/inspect.ts")).inspectPostgres(storePlace.url);
  if (!(await isThere(world.files, storePlace.file))) throw nothingThere(opening);
  return (await import("../store/sqlite/inspect.ts")).inspectSqlite(storePlace.file, { timer: world.timer });
}

function nothingThere({ storePlace }: Opening): AppError {
  const where = storePlace.engine === "sqlite" ? ` at ${safeLine(storePlace.file, 240)}` : "";
  return new AppError(
    "record.missing",
    `there is no store${where} yet; the first use makes it: \`skillward source add\``,
  );
}
