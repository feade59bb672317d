import { entryId } from "../../base/ids.ts";
import { pages } from "../../base/pages.ts";
import type { KnownSkill } from "../../ingest/source/reading.ts";
import { type Entry, isIntact } from "../entry.ts";
import type { Keys } from "../keys.ts";
import { readProvenance } from "../provenance.ts";
import type { SyncContext } from "./context.ts";
import type { SyncReads } from "./port.ts";
import { entriesOf } from "./entries.ts";

/** What the registry holds of a skill: what it is compared with, and what of it need not be read again. */
export interface KnownEntry extends KnownSkill {
  readonly entry: Entry;
}

export interface KnownEntries {
  /** Those that are there, by path. */
  readonly known: ReadonlyMap<string, KnownEntry>;
  /** Whether there are rows that were changed by hand: nothing of what they say is known, so all is read again. */
  readonly isDoubtful: boolean;
}

export async function knownEntries({ kept, keys }: SyncContext, source: string): Promise<KnownEntries> {
  // A row that is not of the place its id names is nobody's, and no sync can change that.
  const own = (await entriesOf(kept.read, source)).filter((entry) => entry.id === entryId(entry));
  const intact = own.filter((entry) => isIntact(keys, entry));
  const provenances = await provenancesOf(kept.read, keys, source);
  const known = intact
    .filter(({ present }) => present)
    .map((entry): [string, KnownEntry] => {
      const from = provenances.get(entry.id);
      const provenance = from?.digest === entry.current ? from.provenance : null;
      return [entry.path, { digest: entry.current, provenance, entry }];
    });
  // Whatever came from a commit was kept with where it came from.
  const isUntold = known.some(([, { entry, provenance }]) => entry.commit !== null && provenance === null);
  return { known: new Map(known), isDoubtful: isUntold || intact.length < own.length };
}

async function provenancesOf(port: SyncReads, keys: Keys, source: string) {
  const found = new Map<string, ReturnType<typeof readProvenance>>();
  const read = (after: string) => port.listProvenance(source, { after, limit: 5000 });
  for await (const some of pages(read, "", ({ entry }) => entry))
    for (const { entry, record } of some) found.set(entry, readProvenance(keys, entry, record));
  return found;
}
