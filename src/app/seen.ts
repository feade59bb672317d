import type { Person } from "../registry/accounts/roles.ts";
import type { Entry } from "../registry/entry.ts";
import type { RegistryReads } from "../registry/port.ts";
import type { Look } from "../registry/registry.ts";

const narrowed = new WeakMap<Look, Look>();

/**
 * RV-12: what somebody sees of the registry. Whoever is limited to some configurations could come across what may be used,
 * and nothing else: of such an entry they see the revision in use as if it were the only one. For them the others do not
 * exist, nor is any of them guessed from what was typed.
 */
export function seenBy({ configurations }: Person, look: Look): Look {
  if (configurations === null) return look;
  const known = narrowed.get(look) ?? narrow(look);
  narrowed.set(look, known);
  return known;
}

function narrow({ facts, snapshot }: Look): Look {
  const entries = [...snapshot.usable].flatMap(([id, { digest }]) => {
    const entry = facts.entries.get(id);
    if (entry === undefined) return [];
    // Of which commit older bytes are is not kept with the entry.
    return [entry.current === digest ? entry : { ...entry, current: digest, commit: null }];
  });
  const isOfSeen = new Set(entries.map(({ source }) => source));
  const wordsOn = ({ id, current }: Entry) =>
    (facts.ledger.decisions.get(id) ?? []).filter(({ digest }) => digest === current);
  const isAsLoaded = (id: string) => facts.entries.get(id)?.current === snapshot.usable.get(id)?.digest;
  return {
    facts: {
      ...facts,
      entries: new Map(entries.map((entry) => [entry.id, entry])),
      sources: new Map([...facts.sources].filter(([id]) => isOfSeen.has(id))),
      loading: new Map([...facts.loading].filter(([id]) => isAsLoaded(id))),
      ledger: { ...facts.ledger, decisions: new Map(entries.map((entry) => [entry.id, wordsOn(entry)])) },
    },
    snapshot: { ...snapshot, findings: [] },
  };
}

/** The revisions of an entry of `seenBy` that somebody may ask for. */
export function revisionsSeen(
  { configurations }: Person,
  read: Pick<RegistryReads, "revisionsOf">,
  { id, current }: Entry,
): Pick<RegistryReads, "revisionsOf"> {
  if (configurations === null) return read;
  return { revisionsOf: async () => (await read.revisionsOf(id)).filter(({ digest }) => digest === current) };
}
