import { AppError } from "../core/error.ts";
import { type Dialect, migrations } from "./migrations.ts";

/** What an engine must offer for its tables to be brought up to date. */
export interface Migrating {
  readonly dialect: Dialect;
  /** How many steps were done already. */
  version(): Promise<number>;
  /** All or nothing, and while nobody else writes. */
  exclusively(act: () => Promise<void>): Promise<void>;
  run(sql: string): Promise<unknown>;
  setVersion(version: number): Promise<unknown>;
}

/**
 * Does the steps that are missing (RV-11). Several processes may come at once: one of them is let in at a time, and
 * finds what is left to do. A store that is up to date is not written to: it opens while another process writes.
 */
export async function migrate(engine: Migrating): Promise<void> {
  if ((await knownVersion(engine)) === migrations.length) return;
  await engine.exclusively(async () => {
    const done = await knownVersion(engine);
    for (const step of migrations.slice(done)) for (const sql of step(engine.dialect)) await engine.run(sql);
    if (done < migrations.length) await engine.setVersion(migrations.length);
  });
}

async function knownVersion(engine: Migrating): Promise<number> {
  const done = await engine.version();
  if (done <= migrations.length) return done;
  const hint = "update Skillward, or name another store";
  throw new AppError(
    "store.newer",
    `the store has version ${done}, this Skillward knows ${migrations.length}; ${hint}`,
  );
}
