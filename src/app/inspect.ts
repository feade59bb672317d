import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { demandOwnKeys, type Inspected, inspectStore } from "../registry/guard.ts";
import { type Keys, loadKeys } from "../registry/keys.ts";
import type { StoreIdentity } from "../registry/port.ts";
import type { InspectedStore, StoreReads, StoreWrites } from "../store/store.ts";
import { type App, type AppOptions, type Contexts, findStore, type Opening, wire, wireParts } from "./app.ts";
import type { Environment } from "./config/config.ts";
import { isThere } from "./files/is-there.ts";
import { loadKeyFile } from "./key-file.ts";
import type { World } from "./world/world.ts";

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

/**
 * For what makes sense only on a store that is there: a variable that was forgotten would have another one made, and that one
 * saved or changed. Whatever version it has: whoever opens it brings it up to date.
 */
export async function demandStore(world: World, environment: Environment, options: AppOptions = {}): Promise<void> {
  const opening = await findStore(world, environment, options);
  if (await hasStore(opening)) return;
  const hint = "name yours with SKILLWARD_STORE or SKILLWARD_DATA, as where it is served; nothing was made or changed";
  throw new AppError("record.missing", `there is no store${placeOf(opening)}; ${hint}`);
}

async function hasStore({ world, storePlace }: Place): Promise<boolean> {
  if (storePlace.engine === "sqlite") return isThere(world.files, storePlace.file);
  return (await import("../store/postgres/inspect.ts")).isPostgresStore(storePlace.url);
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
    const kept = await keptToLook(opening, keys, store, identity);
    return { ...(await wire(opening, keys, kept)), kept, store, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * The store of a running node once more, for looking only, in the hands of whoever has the app: through connections of its
 * own, so that a long look keeps nobody waiting.
 */
export async function inspectBeside(app: App): Promise<Inspection> {
  const store = await openToLook(app);
  try {
    const identity = await store.read.storeIdentity();
    if (identity === undefined) throw nothingThere(app);
    const kept = await keptToLook(app, app.keys, store, identity);
    return { ...wireParts(app, kept), kept, store, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Place = Pick<Opening, "world" | "storePlace" | "places">;

function keptToLook({ world, places }: Place, keys: Keys, { read }: InspectedStore, identity: StoreIdentity) {
  const context = { keys, files: world.files, checkpointFolder: places.checkpointFolder };
  return inspectStore<StoreReads, StoreWrites>(read, identity, context);
}

async function openToLook(opening: Place): Promise<InspectedStore> {
  const { world, storePlace } = opening;
  if (storePlace.engine === "postgres")
    return (await import("../store/postgres/inspect.ts")).inspectPostgres(storePlace.url);
  if (!(await isThere(world.files, storePlace.file))) throw nothingThere(opening);
  return (await import("../store/sqlite/inspect.ts")).inspectSqlite(storePlace.file, { timer: world.timer });
}

function nothingThere(place: Place): AppError {
  const what = `there is no store${placeOf(place)} yet; the first use makes it: \`skillward source add\``;
  return new AppError("record.missing", what);
}

function placeOf({ storePlace }: Place): string {
  return storePlace.engine === "sqlite" ? ` at ${safeLine(storePlace.file, 240)}` : "";
}
