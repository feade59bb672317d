import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { compositionKey } from "../../registry/keys.ts";
import { atOneGeneration, GenerationChanged } from "../../registry/one-generation.ts";
import { readMaterials } from "../../registry/material.ts";
import { compose, type ComposeOptions } from "../../compose/compose.ts";
import type { Composition } from "../../compose/composition.ts";
import { select, type Selection, type Wanted } from "../../compose/select.ts";
import type { App, Contexts } from "../../app/app.ts";
import { demandEntry } from "../skills/find.ts";
import { seenBy } from "../skills/find.ts";
import { demandInvocable, type Target, Targets } from "./targets.ts";
import { estimateTokens } from "../../compose/tokens.ts";
import type { Configuration, Task } from "../../models/schema.ts";

/** Skills may take this part of what the model can read; the rest is the conversation's. */
const shareOfContext = 0.25;

/** What one request gets beside what is attached. */
interface Beside {
  /** Named for this request. */
  readonly invoked?: readonly EntryId[];
  /** Chosen by what it says (CO-13). */
  readonly routed?: readonly EntryId[];
}

/** What one request is given. */
export interface Composed {
  readonly composition: Composition;
  /** CO-13: what may change with each turn, in a block of its own for the last user message; null: there is nothing. */
  readonly last: Composition | null;
}

/**
 * CO-1 to CO-7: select, read what the store holds at this moment, verify it and put it together. Throws `GenerationChanged`
 * when somebody changed meanwhile what it rests on: the target is to be found again (invariant 8).
 */
export async function composeFor(
  { kept, keys }: Pick<Contexts, "kept" | "keys">,
  target: Target,
  beside: Beside = {},
): Promise<Composed> {
  const { usable, generation } = target.look.snapshot;
  const { first, last } = wantedOf(target, beside);
  const selections = { first: choose(target, first), last: choose(target, last) };
  const chosen = [...selections.first.chosen, ...selections.last.chosen].flatMap(
    ({ entry }) => usable.get(entry) ?? [],
  );
  const materials = await readMaterials({ kept, keys }, chosen);
  const options = optionsOf(target.configuration, compositionKey(keys));
  const composition = compose(selections.first, materials, options);
  const composed = {
    composition,
    last: last.routed.length === 0 ? null : compose(selections.last, materials, behind(options, composition)),
  };
  // A word that a person takes back has made a new generation; what a hand in the database does has not.
  const dropped = [...composition.dropped, ...(composed.last?.dropped ?? [])];
  const isTampered = dropped.some(({ why }) => why === "tampered");
  const isOver = isTampered && (await kept.read.generation()) !== generation;
  if (isOver) throw new GenerationChanged();
  return composed;
}

/** With `routeOn: last` the first block is the same in every turn; what is in it already is not repeated (CO-13). */
function wantedOf({ attached, configuration }: Target, { invoked = [], routed = [] }: Beside) {
  const first: Wanted = { ...attached, invoked, routed };
  const none: Wanted = { configuration: [], task: [], invoked: [], routed: [] };
  if (configuration.routing.routeOn === "first") return { first, last: none };
  const there = new Set([...attached.configuration, ...attached.task, ...invoked]);
  const others = routed.filter((entry) => !there.has(entry));
  return { first: { ...first, routed: [] }, last: { ...none, routed: others } };
}

function choose({ look, configuration }: Target, wanted: Wanted): Selection {
  const { usable, standings } = look.snapshot;
  return select(usable, wanted, configuration.trustFloor, (entry) => whyNot(standings.get(entry)));
}

function optionsOf(configuration: Configuration, key: Uint8Array): ComposeOptions {
  const { id, placement, systemFloor, budget, contextTokens } = configuration;
  const tokens = { most: Math.floor((contextTokens ?? 0) * shareOfContext), count: estimateTokens };
  const common = { key, configuration: id, placement, systemFloor, budget };
  return contextTokens === null ? common : { ...common, tokens };
}

/** One budget for both blocks (CO-6). No id of a configuration has a blank: the two boundaries differ. */
function behind(options: ComposeOptions, { bytes, tokens = 0 }: Composition): ComposeOptions {
  const configuration = `${options.configuration} last`;
  return { ...options, configuration, placement: "user", taken: { bytes, tokens } };
}

function whyNot(standing: { readonly state: string; readonly reason: string } | undefined): string {
  return standing === undefined ? "the registry has no such entry" : `it is ${standing.state}: ${standing.reason}`;
}

/** The entries that were named for one request, by id or by a name that only one has. */
export function invokedEntries(person: Person, target: Target, names: readonly string[]): readonly EntryId[] {
  const ids = names.map((name) => demandEntry(seenBy(person, target.look), name).id);
  for (const id of ids) demandInvocable(person, target, id);
  return ids;
}

export interface AskedComposition {
  readonly configuration: string;
  readonly task?: string | undefined;
  readonly skills?: readonly string[] | undefined;
}

/** The configuration, or a task of it. */
export async function demandAskedTarget(
  targets: Targets,
  person: Person,
  { configuration, task }: Pick<AskedComposition, "configuration" | "task">,
): Promise<Target> {
  const target = await targets.find(person, task === undefined ? { configuration } : { task });
  if (target.configuration.id === configuration) return target;
  throw new AppError("usage.invalid", `task "${target.task?.id}" is one of configuration ${target.configuration.id}`);
}

interface StoredComposition {
  readonly composition: Composition;
  readonly generation: number;
  readonly configuration: Configuration;
  readonly task: Task | null;
}

/** What a request would be given now, whatever it says: nothing is routed. Nothing is sent, and nothing is recorded. */
export async function composeStored(app: App, asked: AskedComposition): Promise<StoredComposition> {
  return composeTarget(app, requireRight(app, "read"), asked);
}

/** The same within a flow that has checked the right. */
export async function composeTarget(
  app: App,
  permit: Permit<"read">,
  asked: AskedComposition,
): Promise<StoredComposition> {
  const { skills = [] } = asked;
  const { person } = permit;
  return atOneGeneration(async () => {
    const target = await demandAskedTarget(new Targets(app), person, asked);
    const { composition } = await composeFor(app, target, { invoked: invokedEntries(person, target, skills) });
    const { generation } = target.look.snapshot;
    return { composition, generation, configuration: target.configuration, task: target.task };
  });
}
