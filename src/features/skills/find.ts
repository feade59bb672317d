import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { nearest } from "../../core/nearest.ts";
import { nameKey, safeLine, safeName } from "../../core/text.ts";
import { type Permit, requireRight, type UserContext } from "../../registry/accounts/permit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Source } from "../../sources/schema.ts";
import type { Entry } from "../../registry/entry.ts";
import type { RegistryReads } from "../../registry/port.ts";
import type { Look } from "../../registry/registry.ts";
import type { SyncReads } from "../../registry/sync/port.ts";
import { demandSource } from "../../registry/sync/sources.ts";

/** RT-5: for whoever is limited to some configurations, what lies outside of them does not exist. */
export function requireRightToAll(user: UserContext, instead: string): Permit<"read"> {
  const permit = requireRight(user, "read");
  requireNoLimit(permit, instead);
  return permit;
}

/** The same of a right that was checked before. */
export function requireNoLimit({ person }: Permit<"read">, instead: string): void {
  if (person.configurations === null) return;
  throw new AppError("auth.forbidden", `${safeName(person.name)} is limited to some configurations: ${instead}`);
}

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

/** The entry that was typed: by its id, or by a name that only one skill has. */
export function demandEntry({ facts }: Look, typed: string): Entry {
  const entry = facts.entries.get(typed);
  if (entry !== undefined) return entry;
  const entries = [...facts.entries.values()];
  const nameOf = ({ current, path }: Entry) => facts.summaries.get(current)?.name ?? path;
  const named = entries.filter((each) => nameKey(nameOf(each)) === nameKey(typed));
  // What is in its source comes before what is not any more.
  const present = named.filter((each) => each.present);
  const [only, ...others] = present.length > 0 ? present : named;
  if (only === undefined) throw unknownEntry(typed, entries, nameOf);
  if (others.length > 0) throw ambiguous(typed, [only, ...others]);
  return only;
}

/** Comparing letter by letter with every one of a hundred thousand would take seconds. */
const mostCompared = 10_000;

function unknownEntry(typed: string, all: readonly Entry[], nameOf: (entry: Entry) => string): AppError {
  const entries = all.slice(0, mostCompared);
  const near = nearest(
    typed,
    entries.map(({ id }) => id),
  );
  const named = near === undefined ? nearest(typed, entries.map(nameOf)) : undefined;
  const meant = near ?? entries.find((entry) => nameOf(entry) === named)?.id;
  const hint = meant === undefined ? "" : `did you mean ${safeLine(meant, 240)}? `;
  return new AppError(
    "record.missing",
    `there is no skill "${safeLine(typed)}"; ${hint}\`skillward skill list\` shows what there is`,
  );
}

const mostListed = 10;

/** SK-15: a name that several have is nobody's; the qualified names tell them apart. */
function ambiguous(typed: string, entries: readonly Entry[]): AppError {
  const ids = entries.map(({ id }) => safeLine(id, 240)).toSorted();
  const rest = ids.length > mostListed ? ` and ${ids.length - mostListed} more` : "";
  const listed = `${ids.slice(0, mostListed).join(", ")}${rest}`;
  return new AppError("usage.invalid", `several skills are named "${safeLine(typed)}": ${listed}; name one by its id`);
}

const prefix = /^[0-9a-f]{12,64}$/;

/** The whole digest of the revision of an entry that was typed, also by its first digits. */
export async function demandDigest(
  port: Pick<RegistryReads, "revisionsOf">,
  entry: Pick<Entry, "id" | "current">,
  typed: string,
): Promise<Digest> {
  const start = typed.toLowerCase();
  if (!prefix.test(start))
    throw new AppError(
      "usage.invalid",
      `"${safeLine(typed, 80)}" is no digest; give its 64 hex digits or at least the first 12`,
    );
  const kept = await port.revisionsOf(entry.id);
  const known = new Set([entry.current, ...kept.map(({ digest }) => digest)]);
  const [only, ...others] = [...known].filter((digest) => digest.startsWith(start));
  const id = safeLine(entry.id, 240);
  if (only === undefined)
    throw new AppError(
      "record.missing",
      `${id} never had the revision ${start.slice(0, 12)}; it is ${entry.current.slice(0, 12)} now, and \`skillward skill revisions\` lists the others`,
    );
  // Also a second digest that somebody made to begin like the one that was shown ends here.
  if (others.length > 0) throw new AppError("usage.invalid", `${start} is the start of several revisions of ${id}`);
  return only;
}

export async function demandNamedSource(port: SyncReads, id: string): Promise<Source> {
  const known = (await port.listSources()).map((source) => source.id);
  const near = known.includes(id) ? undefined : nearest(id, known);
  if (near === undefined) return demandSource(port, id);
  throw new AppError("record.missing", `there is no source "${safeLine(id)}"; did you mean ${near}?`);
}

/** A source to filter by: one that was removed still has its entries. */
export function demandSourceIn({ facts }: Look, id: string | undefined): void {
  if (id === undefined || facts.sources.has(id)) return;
  const known = new Set([...facts.sources.keys(), ...[...facts.entries.values()].map(({ source }) => source)]);
  if (known.has(id)) return;
  const near = nearest(id, [...known]);
  const hint = near === undefined ? "`skillward source list` shows what there is" : `did you mean ${near}?`;
  throw new AppError("record.missing", `there is no source "${safeLine(id)}"; ${hint}`);
}
