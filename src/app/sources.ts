import { AppError } from "../base/error.ts";
import { type ChildState, parseChildren } from "../ingest/source/children.ts";
import type { Source } from "../ingest/source/source.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { State } from "../registry/state.ts";
import { changeSource, listSources, removeSource } from "../registry/sync/sources.ts";
import type { Look } from "../registry/registry.ts";
import type { App } from "./app.ts";
import { standingIn } from "./entry-view.ts";
import { demandNamedSource } from "./find.ts";
import { demandAll } from "./route/demand-all.ts";
import { settingsFrom, type SourceWishes } from "./source-settings.ts";

/** One source as lists show it. */
export interface SourceLine {
  readonly source: Source;
  /** How many of its skills are in which state. */
  readonly states: Readonly<Partial<Record<State, number>>>;
}

export interface SourceView extends SourceLine {
  /** Of a marketplace: what became of each of its plugins at the last sync (IN-14); of anything else, none. */
  readonly plugins: readonly PluginLine[];
}

type PluginLine = Pick<ChildState, "name" | "outcome" | "where" | "commit" | "ref" | "skills" | "reason">;

export async function showSource(app: App, id: string): Promise<SourceView> {
  demandAll(app.person, app.review.policy, "sources concern all of them");
  const known = await demandNamedSource(app.kept.read, id);
  const source = (await listSources(app.sync, app.person)).find((each) => each.id === id) ?? known;
  return { source, states: statesIn(await app.registry.look()).get(id) ?? {}, plugins: pluginsOf(source) };
}

function pluginsOf({ kind, cursor }: Source): readonly PluginLine[] {
  if (kind !== "marketplace") return [];
  return parseChildren(cursor).map(({ name, outcome, where, commit, ref, skills, reason }) => ({
    name,
    outcome,
    where,
    commit,
    ref,
    skills,
    reason,
  }));
}

/** All of them, by id. */
export async function listSourceLines(app: App): Promise<readonly SourceLine[]> {
  demandAll(app.person, app.review.policy, "sources concern all of them");
  const sources = await listSources(app.sync, app.person);
  const states = statesIn(await app.registry.look());
  return sources.map((source) => ({ source, states: states.get(source.id) ?? {} }));
}

/** By source, in one pass: there can be a hundred thousand entries. */
function statesIn(look: Look): ReadonlyMap<string, SourceLine["states"]> {
  const states = new Map<string, Partial<Record<State, number>>>();
  for (const { id, source } of look.facts.entries.values()) {
    const counts = states.get(source) ?? {};
    const { state } = standingIn(look, id);
    counts[state] = (counts[state] ?? 0) + 1;
    states.set(source, counts);
  }
  return states;
}

export async function setSource(app: App, id: string, wishes: SourceWishes): Promise<SourceView> {
  demand(app.person, "administer", app.review.policy);
  const { kind, bounds } = await demandNamedSource(app.kept.read, id);
  if (kind === "folder" && (wishes.include !== undefined || wishes.tokenForOwner !== undefined))
    throw new AppError("usage.invalid", `the source ${id} is on this machine: it has no token and no parts to include`);
  if (kind === "file" && wishes.include !== undefined)
    throw new AppError("usage.invalid", `the source ${id} is one skill: add another one, or the repository, by itself`);
  const settings = settingsFrom(wishes, bounds ?? app.config.sync);
  if (Object.keys(settings).length === 0 && wishes.token === undefined)
    throw new AppError("usage.invalid", "say what to change; `skillward source set --help` lists what can be");
  await changeSource(app.sync, app.person, id, settings, wishes.token);
  return showSource(app, id);
}

/** Says how many skills went out of use with it. */
export async function dropSource(
  app: App,
  id: string,
): Promise<{ readonly source: string; readonly orphaned: number }> {
  demand(app.person, "administer", app.review.policy);
  await demandNamedSource(app.kept.read, id);
  return { source: id, orphaned: await removeSource(app.sync, app.person, id) };
}
