import { AppError } from "../core/error.ts";
import { createAllTables, type Dialect } from "./schema.ts";

/** The SQL that brings the tables from one version to the next. */
export type MigrationStep = (dialect: Dialect) => readonly string[];

/** The first makes a new store. Forward only: a step that was released is never changed (RV-11). */
const released: readonly MigrationStep[] = [createAllTables];

/**
 * The version of a store after the first step; each further step adds one. Builds before 0.2 numbered their stores 1 to
 * 6. Until 0.2 is released every change of the tables raises this number, so that a store of an earlier build is
 * refused as such instead of failing at a column that it does not have.
 */
export const initialVersion = 100;

export function latestVersion(steps = released): number {
  return initialVersion + steps.length - 1;
}

/** The operations of an engine that a migration needs. */
export interface MigrationEngine {
  readonly dialect: Dialect;
  /** Names the store in messages. */
  readonly store: string;
  /** 0: the store has no tables yet. */
  version(): Promise<number>;
  /** All or nothing, and no other process writes meanwhile. */
  exclusively(act: () => Promise<void>): Promise<void>;
  run(sql: string): Promise<unknown>;
  setVersion(version: number): Promise<unknown>;
}

/**
 * Does the steps that are missing (RV-11). Of several processes one is let in at a time, and finds what is left to do. A
 * store that is up to date is not written to: it opens while another process writes.
 */
export async function migrate(engine: MigrationEngine, steps = released): Promise<void> {
  const missing = async () => {
    const version = await engine.version();
    refuseUnknownVersion(engine.store, version, steps);
    return version === 0 ? steps : steps.slice(version - initialVersion + 1);
  };
  if ((await missing()).length === 0) return;
  await engine.exclusively(async () => {
    const missingNow = await missing();
    for (const step of missingNow) for (const sql of step(engine.dialect)) await engine.run(sql);
    if (missingNow.length > 0) await engine.setVersion(latestVersion(steps));
  });
}

/** Refuses a store that no step leads to or from. Nothing was written to it yet, and nothing will be. */
export function refuseUnknownVersion(store: string, version: number, steps = released): void {
  const latest = latestVersion(steps);
  if (version > latest) {
    const hint = "update Skillward, or name another store";
    throw new AppError("store.newer", `${store} has version ${version}, this Skillward knows ${latest}; ${hint}`);
  }
  if (version === 0 || version >= initialVersion) return;
  const what = `${store} is from before Skillward 0.2 (version ${version}) and cannot be opened; nothing was changed`;
  const ways = "name another data folder with --data or another store with SKILLWARD_STORE, or move this one away";
  const then = "Add your sources there again: their skills are read again, and have to be reviewed again";
  throw new AppError("store.older", `${what}. To go on, ${ways}. ${then}`);
}

/** A store that is only inspected is not migrated, so it must have the latest version. */
export function requireLatestVersion(store: string, version: number): void {
  refuseUnknownVersion(store, version);
  if (version === 0) throw new AppError("record.missing", "there is no store there yet; the first use makes it");
  if (version === latestVersion()) return;
  const known = `${store} has version ${version}, this Skillward works with ${latestVersion()}`;
  throw new AppError("store.failed", `${known}; any use brings it up to date: \`skillward source list\``);
}
