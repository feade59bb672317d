import type { App } from "../../app/app.ts";
import { reaches } from "../../compose/select.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { nameKey, safeLine } from "../../core/text.ts";
import type { Target, TargetName } from "../../features/configurations/targets.ts";
import { boundsOf, routableFor } from "../../features/routing/routable.ts";
import type { Serving } from "../../features/serving.ts";
import { parseTask } from "../../models/task.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { atOneGeneration, GenerationChanged } from "../../registry/one-generation.ts";
import type { Snapshot, UsableEntry } from "../../registry/snapshot.ts";
import type { Thresholds } from "../../routing/routed.ts";
import { locate } from "./skill-uri.ts";
import { createHash } from "node:crypto";

/** What somebody may read at one generation. Every answer comes from one of these and from no other (RV-10). Never changes. */
export interface View {
  readonly snapshot: Snapshot;
  readonly entries: ReadonlyMap<EntryId, UsableEntry>;
  /** What routing is held to, where there is one configuration that says it. */
  readonly thresholds: Partial<Thresholds>;
}

/** The same for the same skills with the same bytes, and for no others. Short: whoever waits for another one keeps it. */
export function markOf({ entries }: View): Digest {
  const known = marks.get(entries) ?? hashOf(entries);
  marks.set(entries, known);
  return known;
}

const marks = new WeakMap<View["entries"], Digest>();

function hashOf(entries: View["entries"]): Digest {
  const hash = createHash("sha256");
  for (const { id, digest } of inOrder(entries)) hash.update(`${id.length} ${id} ${digest} `);
  return hash.digest("hex");
}

/** By id. Made once for a view: a host that lists everything asks for it page by page. */
export function inOrder(entries: View["entries"]): readonly UsableEntry[] {
  const known = ordered.get(entries) ?? [...entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  ordered.set(entries, known);
  return known;
}

const ordered = new WeakMap<View["entries"], readonly UsableEntry[]>();

/** Finds views. One that was made holds for as long as the generation does: any change of state makes a new one. */
export class Views {
  readonly #serving: Pick<Serving, "as" | "target">;
  readonly #known = new WeakMap<Snapshot, Map<string, Promise<View>>>();

  constructor(serving: Pick<Serving, "as" | "target">) {
    this.#serving = serving;
  }

  /** RV-12: whoever is limited to some configurations is shown what these can have, and nothing else exists. */
  async of(person: Person): Promise<View> {
    const app = this.#serving.as(person);
    requireRight(app, "read");
    return atOneGeneration(async () => {
      const { snapshot } = await app.registry.look();
      return this.#keptFor(snapshot, JSON.stringify(person.configurations), () =>
        person.configurations === null
          ? { snapshot, entries: snapshot.usable, thresholds: {} }
          : limitedTo(person.configurations, { app, snapshot, find: (name) => this.#serving.target(person, name) }),
      );
    });
  }

  #keptFor(snapshot: Snapshot, limits: string, find: () => View | Promise<View>): Promise<View> {
    const known = this.#known.get(snapshot) ?? new Map<string, Promise<View>>();
    this.#known.set(snapshot, known);
    const view = known.get(limits) ?? Promise.resolve(find());
    known.set(limits, view);
    const forget = () => void known.delete(limits);
    view.catch(forget);
    return view;
  }
}

interface Looking {
  readonly app: App;
  readonly snapshot: Snapshot;
  readonly find: (name: TargetName) => Promise<Target>;
}

/** Throws `GenerationChanged` when not all that was read is of this generation. */
async function limitedTo(configurations: readonly string[], looking: Looking): Promise<View> {
  const { app, snapshot, find } = looking;
  const tasks = (await app.kept.read.listLlmRecords("task")).map(parseTask);
  const own = tasks.filter(({ configuration }) => configurations.includes(configuration));
  const names = [...configurations.map((configuration) => ({ configuration })), ...own.map(({ id }) => ({ task: id }))];
  const targets = (await Promise.all(names.map((name) => find(name).catch(orGone)))).filter(
    (target) => target !== null,
  );
  const isOne = targets.every(({ look }) => look.snapshot.generation === snapshot.generation);
  if (!isOne || (await app.kept.read.generation()) !== snapshot.generation) throw new GenerationChanged();
  const entries = new Map(targets.flatMap((target) => entriesOf(target, snapshot)));
  const [only, ...others] = targets.filter(({ task }) => task === null);
  const isSingle = only !== undefined && others.length === 0;
  return { snapshot, entries, thresholds: isSingle ? (boundsOf(only).thresholds ?? {}) : {} };
}

/** A key may name configurations that are there no more, or not yet. */
function orGone(error: unknown): null {
  if (error instanceof AppError && error.code === "record.missing") return null;
  throw error;
}

/** Attached or routable, and trusted enough to be given to a request of the configuration at all (CO-1). */
function entriesOf(target: Target, { usable }: Snapshot): readonly [EntryId, UsableEntry][] {
  const { attached, configuration } = target;
  const ids = [...attached.configuration, ...attached.task, ...routableFor(target)];
  return ids.flatMap((id): [EntryId, UsableEntry][] => {
    const entry = usable.get(id);
    return entry !== undefined && reaches(entry.trust, configuration.trustFloor) ? [[id, entry]] : [];
  });
}

const mostListed = 10;

/** The skill that a model named: by its id, by its URI, or by a name that only one of those it may read has (SK-15). */
export function findEntry(view: View, typed: string): UsableEntry {
  const known = view.entries.get(typed) ?? locate(view, typed)?.entry;
  if (known !== undefined) return known;
  const [only, ...others] = namesIn(view).get(nameKey(typed)) ?? [];
  if (only !== undefined && others.length === 0) return only;
  // Nobody else's names are told: they are an author's words.
  if (only === undefined)
    throw new AppError(
      "record.missing",
      `there is no skill "${safeLine(typed, 80)}" here; find_skill says what there is`,
    );
  const ids = [only, ...others].map(({ id }) => safeLine(id, 240));
  const more = ids.length > mostListed ? ` and ${ids.length - mostListed} more` : "";
  const listed = `${ids.slice(0, mostListed).join(", ")}${more}`;
  throw new AppError("usage.invalid", `several skills are called that: ${listed}; name one by its id`);
}

type Names = ReadonlyMap<string, readonly UsableEntry[]>;

const known = new WeakMap<View["entries"], Names>();

/** Made once for a view, at the first name that is asked for. */
function namesIn({ entries }: View): Names {
  const names = known.get(entries) ?? groupedByName(entries.values());
  known.set(entries, names);
  return names;
}

function groupedByName(entries: Iterable<UsableEntry>): Names {
  const names = new Map<string, UsableEntry[]>();
  for (const entry of entries) {
    const key = nameKey(entry.name);
    const same = names.get(key);
    if (same === undefined) names.set(key, [entry]);
    else same.push(entry);
  }
  return names;
}
