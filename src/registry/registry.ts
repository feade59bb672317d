import type { Digest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";
import type { Bundle } from "../skill/bundle.ts";
import type { Entry } from "./entry.ts";
import { readFacts, readRevision } from "./facts.ts";
import type { Guarded } from "./guard.ts";
import type { Keys } from "./keys.ts";
import type { RegistryReads, RegistryWrites } from "./port.ts";
import { missingRevision } from "./revision.ts";
import {
  type Approved,
  approvedOf,
  createSnapshot,
  type DecisionsNeeded,
  type RegistryFacts,
  type Snapshot,
} from "./snapshot.ts";
import type { SyncReads, SyncWrites } from "./sync/port.ts";

/** The registry at one moment. */
export interface Look {
  readonly facts: RegistryFacts;
  readonly snapshot: Snapshot;
}

/** The bytes of one revision, verified when they were read; or why there are none. */
interface Opened {
  readonly bundle?: Bundle & { readonly digest: Digest };
  readonly findings: readonly Finding[];
}

/** What may be used, by whose word. */
export interface Registry {
  /** The present generation: what was read before is kept, and what changed since is read. */
  look(): Promise<Look>;
  /** How far people have come with what is current of an entry, by how many it takes (RV-5). */
  approved(look: Look, entry: Entry): Approved;
  /** Verified bytes of a revision, whatever its state: what review shows. */
  open(digest: Digest): Promise<Opened>;
  /** Verified bytes of an entry that may be used in this snapshot; anything else is refused (invariant 1). */
  use(snapshot: Snapshot, entry: EntryId): Promise<Bundle & { readonly digest: Digest }>;
}

export interface RegistryContext {
  readonly kept: Guarded<RegistryReads & SyncReads, RegistryWrites & SyncWrites>;
  readonly keys: Keys;
  readonly decisionsNeeded: DecisionsNeeded;
}

export function createRegistry({ kept, keys, decisionsNeeded }: RegistryContext): Registry {
  let last: Look | undefined;
  const open = async (digest: Digest): Promise<Opened> => {
    const [row] = await kept.read.findRevisions([digest]);
    return row === undefined ? { findings: [missingRevision(digest)] } : readRevision(kept.read, row);
  };
  return {
    async look() {
      const facts = await readFacts({ port: kept.read, keys, known: kept.known() }, last?.facts);
      if (facts !== last?.facts) last = { facts, snapshot: createSnapshot(facts, decisionsNeeded) };
      return last;
    },
    approved: ({ facts }, entry) => approvedOf(facts, entry, decisionsNeeded),
    open,
    async use(snapshot, entry) {
      const usable = snapshot.usable.get(entry);
      if (usable === undefined)
        throw unusable(entry, snapshot.standings.get(entry)?.reason ?? "there is no such entry");
      const { bundle, findings } = await open(usable.digest);
      if (bundle === undefined) throw unusable(entry, findings.map(({ message }) => message).join("; "));
      return bundle;
    },
  };
}

function unusable(entry: EntryId, why: string): AppError {
  return new AppError("entry.unusable", `${safeLine(entry)} may not be used: ${why}`);
}
