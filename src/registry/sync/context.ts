import type { Clock, Files } from "../../base/world.ts";
import type { SyncBounds } from "../../ingest/source/source.ts";
import type { ReviewPolicy } from "../decide.ts";
import type { Guarded } from "../guard.ts";
import type { Keys } from "../keys.ts";
import type { RegistryReads, RegistryWrites } from "../port.ts";
import type { Registry } from "../registry.ts";
import type { Holders } from "./lock.ts";
import type { SyncReads, SyncWrites } from "./port.ts";
import type { RemoteContext } from "./remote.ts";

/** What the flows of this room work with. */
export interface SyncContext {
  readonly kept: Guarded<RegistryReads & SyncReads, RegistryWrites & SyncWrites>;
  readonly registry: Registry;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly files: Files;
  readonly holders: Holders;
  readonly policy: ReviewPolicy;
  /** For sources that have none of their own. */
  readonly bounds: SyncBounds;
  readonly remote: RemoteContext;
}
