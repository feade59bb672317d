import { openApp } from "../../src/app/app.ts";
import type { Environment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { allow } from "../support/permits.ts";

interface Order {
  readonly environment: Environment;
  /** The clock stands where the test's does. */
  readonly now: number;
}

/** A node of its own that syncs one source, until it is killed. */
const { environment, now }: Order = JSON.parse(process.argv[2] ?? "");
const app = await openApp({ ...createWorld(), clock: { now: () => now } }, environment);
await runSync(app.sync, allow(app.person), "skills");
await app.close();
